package dev.waybill.spring.tests.purchases;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts the statements that the application's connections prepare. Thread-safe. */
public class CountedStatements {
    private final AtomicInteger prepared = new AtomicInteger();

    public int prepared() {
        return prepared.get();
    }

    DataSource count(DataSource dataSource) {
        return proxy(DataSource.class, dataSource);
    }

    private <T> T proxy(Class<T> type, T target) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("equals")) {
                return proxy == arguments[0];
            }
            if (method.getName().equals("prepareStatement")) {
                prepared.incrementAndGet();
            }
            try {
                Object result = method.invoke(target, arguments);
                return method.getName().equals("getConnection") ? proxy(Connection.class, (Connection) result) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, handler));
    }
}
