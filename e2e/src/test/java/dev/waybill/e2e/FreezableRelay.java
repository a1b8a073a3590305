package dev.waybill.e2e;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.store.OutboxStore;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * A relay process whose parent can stop it in the middle of a settle: {@code FreezableRelay <url> <freeze|retry>}.
 *
 * <p>It prints {@code OWNS n} as its shards change and, in mode {@code freeze}, {@code SETTLING n} before its first settle with results,
 * then gives its parent time to act, settles, and prints {@code SETTLED} with the shards that were lost. In mode
 * {@code retry} it refuses the first attempt of the first event of a key for a while. What arrives goes to table {@code arrival}.
 */
final class FreezableRelay {
    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration REFUSAL = Duration.ofSeconds(6);
    private static final Duration TIME_TO_FREEZE = Duration.ofSeconds(2);

    private FreezableRelay() {}

    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] args) throws IOException {
        boolean freezes = args[1].equals("freeze");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        config.setMaximumPoolSize(3);
        HikariDataSource pool = new HikariDataSource(config);
        OutboxStore store = Postgres.store(pool);
        Relay relay = Relay.builder(freezes ? stoppingBeforeItsFirstSettle(store) : store)
                .route("orders", new ToTable(pool, !freezes))
                .config(RelayConfig.defaults().withLease(LEASE))
                .build()
                .start();
        int owned = -1;
        while (System.in.available() == 0) {
            if (relay.status().ownedShards() != owned) {
                owned = relay.status().ownedShards();
                System.out.println("OWNS " + owned);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        relay.close();
        pool.close();
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private static OutboxStore stoppingBeforeItsFirstSettle(OutboxStore store) {
        boolean[] settled = new boolean[1];
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, args) -> {
                    boolean first = method.getName().equals("settle") && !settled[0];
                    if (first) {
                        settled[0] = true;
                        System.out.println("SETTLING " + ((List<?>) args[2]).size());
                        long end = System.nanoTime() + TIME_TO_FREEZE.toNanos();
                        while (System.nanoTime() < end) {
                            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                        }
                    }
                    try {
                        Object result = method.invoke(store, args);
                        if (first) {
                            System.out.println("SETTLED " + ((Set<?>) result).size());
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Writes each arrival into a table, which numbers them. */
    private record ToTable(DataSource dataSource, boolean refuses) implements Transport {
        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            for (Delivery delivery : batch) {
                if (refuses
                        && delivery.attempt() == 1
                        && delivery.event().type().equals("head")) {
                    listener.onResult(delivery, DeliveryResult.retryAfter("not yet", REFUSAL));
                } else {
                    arrive(delivery);
                    listener.onResult(delivery, DeliveryResult.delivered());
                }
            }
        }

        private void arrive(Delivery delivery) {
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO arrival (event_key, seq) VALUES (?, ?)")) {
                insert.setString(1, delivery.event().key());
                insert.setLong(2, delivery.sequence());
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {}
    }
}
