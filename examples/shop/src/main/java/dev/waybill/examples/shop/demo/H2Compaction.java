package dev.waybill.examples.shop.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts the files of H2 while the shop runs, until closed. Every commit writes a chunk, H2 keeps a note of each in the heap,
 * and without a write delay it does not compact on its own.
 *
 * <p>In small portions: nobody can commit while H2 rewrites one.
 */
final class H2Compaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(H2Compaction.class);
    private static final int FILL_RATE = 60;
    private static final int BYTES = 512 * 1024;
    private static final long PAUSE_MILLIS = 100;

    private final List<Service> services;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "demo-compaction");

    H2Compaction(List<Service> services) {
        this.services = services;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            for (int turn = 0; !closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS); turn++) {
                compact(services.get(turn % services.size()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void compact(Service service) {
        try (Connection connection = service.unit().dataSource().getConnection()) {
            if (connection.isWrapperFor(JdbcConnection.class)
                    && connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session) {
                session.getDatabase().getStore().getMvStore().compact(FILL_RATE, BYTES);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.warn("The database of {} could not be compacted", service.name(), e);
        }
    }
}
