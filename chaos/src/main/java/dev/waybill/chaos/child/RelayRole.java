package dev.waybill.chaos.child;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.relay.Route;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.store.jdbc.PostgresListener;
import dev.waybill.transport.Transport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A relay as a service runs it; only its time-outs are shorter, to fit the shorter lease. */
public final class RelayRole implements AutoCloseable {
    public static final String NAME = "relay";

    private static final int CONNECTIONS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PROBE = Duration.ofSeconds(1);

    private final HikariDataSource pool;
    private final Transport transport;
    private final Relay relay;
    private final @Nullable PostgresListener listener;

    private RelayRole(HikariDataSource pool, Transport transport, Relay relay, @Nullable PostgresListener listener) {
        this.pool = pool;
        this.transport = transport;
        this.relay = relay;
        this.listener = listener;
    }

    static RelayRole open(Arguments arguments) {
        Duration lease = arguments.duration("lease");
        // Half of it, so that a statement that hangs is given up while the lease can still be renewed.
        JdbcStoreConfig storeConfig = JdbcStoreConfig.defaults().withStatementTimeout(lease.dividedBy(2));
        // First: it gets to know the cluster while the rest starts.
        Transport transport =
                Transports.open(DeliveryMode.valueOf(arguments.text("mode")), arguments.text("brokers"), lease);
        HikariDataSource pool = Connections.open(arguments, CONNECTIONS);
        JdbcOutboxStore store = JdbcOutboxStore.create(pool, storeConfig);
        RetryPolicy retry = RetryPolicy.defaults().withBackoff(Duration.ofMillis(200), Duration.ofSeconds(2));
        Relay relay = Relay.builder(store)
                .config(RelayConfig.defaults()
                        .withLease(lease)
                        .withWindow(arguments.count("window"))
                        .withProbe(Duration.ofMillis(200), LONGEST_PROBE)
                        .withDeliveryTimeout(lease.multipliedBy(2).plusSeconds(2)))
                .otherwise(Route.to(transport).withRetry(retry))
                .build()
                .start();
        PostgresListener listener =
                Connections.isPostgres(arguments) ? PostgresListener.start(pool, storeConfig, relay::wakeUp) : null;
        return new RelayRole(pool, transport, relay, listener);
    }

    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
        relay.stop(PATIENCE);
        transport.close();
        pool.close();
    }

    @Override
    public String toString() {
        return "relay " + relay.id();
    }
}
