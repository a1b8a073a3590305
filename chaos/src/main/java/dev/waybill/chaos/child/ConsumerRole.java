package dev.waybill.chaos.child;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.chaos.clock.SteadyClock;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.store.jdbc.JdbcInbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.kafka.KafkaConsumerConfig;
import dev.waybill.transport.kafka.KafkaInboxConsumer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A consumer with an inbox, whose effect is a row in a table that would take any number of them. */
public final class ConsumerRole implements AutoCloseable {
    public static final String NAME = "consumer";
    public static final String EVENT_TYPE = "Booked";

    private static final int CONNECTIONS = 8;
    private static final int THREADS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final String INSERT =
            "INSERT INTO effect (event, destination, event_key, at_millis) VALUES (?, ?, ?, ?)";

    private final HikariDataSource pool;
    private final ExecutorService executor;
    private final Relay retries;
    private final KafkaInboxConsumer source;

    private ConsumerRole(HikariDataSource pool, ExecutorService executor, Relay retries, KafkaInboxConsumer source) {
        this.pool = pool;
        this.executor = executor;
        this.retries = retries;
        this.source = source;
    }

    static ConsumerRole open(Arguments arguments) {
        HikariDataSource pool = Connections.open(arguments, CONNECTIONS);
        JdbcOutboxStore siding = JdbcOutboxStore.create(pool, JdbcStoreConfig.siding());
        InboxConsumer<Connection> consumer = InboxConsumer.named(NAME, new JdbcInbox(pool, siding))
                .on(EVENT_TYPE, ConsumerRole::handle)
                .config(InboxConfig.defaults()
                        .withRetry(new RetryPolicy(1_000, Duration.ofMillis(100), Duration.ofSeconds(1))))
                .build();
        ExecutorService executor = Executors.newFixedThreadPool(2);
        Relay retries = SidingRelay.start(siding, executor, consumer);
        Duration session = arguments.duration("session");
        KafkaConsumerConfig config = KafkaConsumerConfig.of(
                        arguments.text("brokers"), Settings.DESTINATIONS.toArray(String[]::new))
                .withThreads(THREADS)
                .withPatience(PATIENCE)
                .withProperty("session.timeout.ms", String.valueOf(session.toMillis()))
                .withProperty(
                        "heartbeat.interval.ms",
                        String.valueOf(session.dividedBy(4).toMillis()))
                .withProperty("interceptor.classes", ArrivalLog.class.getName())
                .withProperty(ArrivalLog.FILE, arguments.text("arrivals"));
        return new ConsumerRole(pool, executor, retries, KafkaInboxConsumer.start(config, consumer));
    }

    private static void handle(Connection connection, Delivery delivery) throws SQLException {
        Event event = delivery.event();
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, event.id().toString());
            insert.setString(2, event.destination());
            insert.setString(3, event.key());
            insert.setLong(4, SteadyClock.millis());
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        source.close();
        retries.stop(PATIENCE);
        executor.shutdownNow();
        pool.close();
    }
}
