package dev.waybill.benchmarks.own;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.Purchases;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.ShardSet;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.store.jdbc.PostgresListener;
import dev.waybill.store.jdbc.PostgresNotifier;
import dev.waybill.transport.Transport;
import dev.waybill.transport.kafka.ExactlyOnceKafkaTransport;
import dev.waybill.transport.kafka.KafkaTransport;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waybill as a service would use it, with its defaults. Options: {@code retention}, {@code notify} (wake relays of
 * other processes), {@code destinations}, {@code kafka}, {@code topic} and
 * {@code exactly-once}, {@code history} (rows that are there before).
 */
final class WaybillContender implements Contender {
    static final String TYPE = "PurchaseMade";
    private static final int RELAY_CONNECTIONS = 4;

    private final Site site;
    private final Destinations destinations;
    /** The name of the first destination: that of the topic, if there is one. */
    private final String first;

    private final HikariDataSource writing;
    private final HikariDataSource relaying;
    private final JdbcStoreConfig config;
    private final JdbcOutboxStore store;
    private final JdbcOutbox outbox;
    private final @Nullable PostgresNotifier notifier;
    private @Nullable Relay relay;
    private @Nullable Transport transport;
    private @Nullable PostgresListener listener;

    WaybillContender(Site site) {
        this.site = site;
        destinations = Destinations.valueOf(site.options().getOrDefault("destinations", Destinations.ONE.name()));
        first = site.options().getOrDefault("topic", Destinations.FIRST);
        Pools.Target target = new Pools.Target(site.jdbcUrl(), site.user(), site.password());
        // One more for the notifier.
        writing = Pools.open(target, "writers", site.writers() + 1);
        relaying = Pools.open(target, "relay", RELAY_CONNECTIONS);
        Duration retention = Duration.parse(site.options().getOrDefault("retention", "PT24H"));
        config = JdbcStoreConfig.defaults().withRetention(retention);
        store = JdbcOutboxStore.create(relaying, config);
        outbox = new JdbcOutbox(store, OutboxConfig.defaults());
        notifier = isNotifying() ? PostgresNotifier.start(writing, config) : null;
        if (notifier != null) {
            outbox.afterCommit(notifier);
        }
        outbox.afterCommit(this::wakeUp);
    }

    private boolean isNotifying() {
        return Boolean.parseBoolean(site.options().getOrDefault("notify", "false"));
    }

    private boolean isExactlyOnce() {
        return Boolean.parseBoolean(site.options().getOrDefault("exactly-once", "false"));
    }

    private synchronized void wakeUp(ShardSet shards) {
        if (relay != null) {
            relay.wakeUp(shards);
        }
    }

    @Override
    public String settings() {
        RelayConfig defaults = RelayConfig.defaults();
        return "this source; retention " + config.retention() + ", " + site.writers() + " writers' connections, "
                + RELAY_CONNECTIONS + " for the relay, batch " + defaults.batchSize() + ", window " + defaults.window()
                + ", poll " + defaults.pollInterval() + (isNotifying() ? ", NOTIFY" : "")
                + (site.options().containsKey("kafka") ? ", " + transportName() + " with its defaults" : "");
    }

    private String transportName() {
        return isExactlyOnce() ? "ExactlyOnceKafkaTransport" : "KafkaTransport";
    }

    @Override
    public void install() throws SQLException {
        try (Connection connection = writing.getConnection()) {
            WaybillTables.drop(connection);
            Purchases.install(connection);
        }
        store.migrate();
        int history = Integer.parseInt(site.options().getOrDefault("history", "0"));
        if (history > 0) {
            // Makes today's partition, which the rows go to.
            store.clean();
            backlog().fillHistory(history);
        }
    }

    @Override
    public void transact(Purchase purchase, List<Message> messages) {
        outbox.inTransaction(writing, transaction -> {
            Purchases.insert(transaction.connection(), purchase);
            if (messages.size() == 1) {
                transaction.publish(event(messages.get(0)));
            } else {
                transaction.publishAll(messages.stream().map(this::event).toList());
            }
            return purchase;
        });
    }

    Event event(Message message) {
        String destination = destinations.of(Message.keyOf(message.payload()));
        return Event.to(destination.equals(Destinations.FIRST) ? first : destination)
                .key(message.key())
                .type(TYPE)
                .payload(message.payload())
                .build();
    }

    @Override
    public void fill(int messages, int keys, int payloadBytes) throws SQLException {
        backlog().fill(messages, keys, payloadBytes);
        outbox.signal();
    }

    private WaybillBacklog backlog() {
        return new WaybillBacklog(writing, outbox, this::event);
    }

    @Override
    public synchronized void start(Receiver receiver) {
        Transport to = transport(receiver);
        Relay started = Relay.builder(store)
                .route(first, to)
                .route(Destinations.SECOND, to)
                .build();
        transport = to;
        relay = started.start();
        if (isNotifying()) {
            listener = PostgresListener.start(relaying, config, started::wakeUp);
        }
    }

    private Transport transport(Receiver receiver) {
        String brokers = site.options().get("kafka");
        if (brokers == null) {
            return new ReceiverTransport(receiver, destinations);
        }
        KafkaTransportConfig kafka = KafkaTransportConfig.of(brokers);
        return isExactlyOnce()
                ? new ConfirmedLedger(ExactlyOnceKafkaTransport.create(kafka, first), receiver)
                : new ConfirmedTransport(KafkaTransport.create(kafka), receiver);
    }

    @Override
    public synchronized void stop() {
        if (listener != null) {
            listener.close();
            listener = null;
        }
        if (relay != null) {
            relay.close();
            relay = null;
        }
        if (transport != null) {
            transport.close();
            transport = null;
        }
    }

    @Override
    public void close() {
        stop();
        if (notifier != null) {
            notifier.close();
        }
        writing.close();
        relaying.close();
    }
}
