package dev.waybill.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of a process that freezes when it is about to commit, and goes on when it is told to. */
final class FrozenBeforeCommit {
    private final CountDownLatch frozen = new CountDownLatch(1);
    private final CountDownLatch thawed = new CountDownLatch(1);
    private final DataSource dataSource;

    FrozenBeforeCommit(DataSource database) {
        dataSource = proxy(DataSource.class, database, this::connected);
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** Returns when the process has done all but the commit. */
    void awaitFrozen() throws InterruptedException {
        frozen.await();
    }

    void thaw() {
        thawed.countDown();
    }

    private @Nullable Object connected(Method method, @Nullable Object result) {
        return result instanceof Connection connection ? proxy(Connection.class, connection, this::created) : result;
    }

    private @Nullable Object created(Method method, @Nullable Object result) {
        return method.getName().equals("createStatement") && result instanceof Statement statement
                ? proxy(Statement.class, statement, (called, answer) -> answer)
                : result;
    }

    private interface After {
        @Nullable
        Object answer(Method method, @Nullable Object result);
    }

    private <T> T proxy(Class<T> type, T target, After after) {
        return type.cast(Proxy.newProxyInstance(
                FrozenBeforeCommit.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments.length == 1 && "COMMIT".equals(arguments[0])) {
                        frozen.countDown();
                        thawed.await();
                    }
                    try {
                        return after.answer(method, method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
