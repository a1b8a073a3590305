package dev.waybill.server.ops;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.server.RecordedTerminal;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** An outbox on a real database, with a relay whose destination refuses poison until it is mended. */
final class OutboxRig implements AutoCloseable {
    static final String POISON = "order.poison";
    static final String REASON = "no such account \u001b[31m";

    private final Pools.Target target;
    private final HikariDataSource pool;
    private final JdbcOutboxStore store;
    private final JdbcOutbox outbox;
    private final Queue<Delivery> delivered = new ConcurrentLinkedQueue<>();
    private volatile boolean mended;
    private volatile @Nullable Relay relay;

    OutboxRig(Pools.Target target) {
        this.target = target;
        pool = Pools.open(target, "rig", 6);
        store = JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults());
        store.migrate();
        outbox = new JdbcOutbox(store, OutboxConfig.defaults());
        outbox.afterCommit(shards -> wakeRelay());
    }

    private void wakeRelay() {
        Relay running = relay;
        if (running != null) {
            running.wakeUp();
        }
    }

    OutboxRig startRelay() {
        RelayConfig config = RelayConfig.defaults().withPollInterval(Duration.ofMillis(100));
        Relay started = Relay.builder(store)
                .route("orders", new Shop())
                .route("mail", new Shop())
                .config(config)
                .build()
                .start();
        relay = started;
        await().until(() -> started.status().ownedShards() == 64);
        return this;
    }

    void stopRelay() {
        Relay running = relay;
        relay = null;
        if (running != null) {
            running.close();
        }
    }

    /** From now on poison is taken. */
    void mend() {
        mended = true;
    }

    UUID publish(Event.Builder event) {
        return outbox.inTransaction(pool, transaction -> transaction.publish(event.build()));
    }

    UUID publish(String destination, @Nullable String key, String type) {
        Event.Builder event =
                Event.to(destination).type(type).json("{\"amount\": 7}").header("tenant", "acme");
        return publish(key == null ? event : event.key(key));
    }

    List<UUID> delivered() {
        return delivered.stream().map(delivery -> delivery.event().id()).toList();
    }

    List<Delivery> deliveries() {
        return List.copyOf(delivered);
    }

    Pools.Target target() {
        return target;
    }

    JdbcOutboxStore store() {
        return store;
    }

    /** The sequence of the only dead letter of a type and key. */
    long sequenceOf(UUID id) {
        return store.operations().find(id).get(0).entry().sequence();
    }

    void awaitDead(int count) {
        await().until(() -> store.operations().statistics().dead() == count);
    }

    void awaitWaiting(int count) {
        await().until(() -> store.operations().statistics().destinations().stream()
                        .mapToLong(one -> one.waiting())
                        .sum()
                == count);
    }

    /** Runs a command of the operator on this outbox. */
    Run ops(String... words) {
        List<String> all = new ArrayList<>(List.of("ops"));
        all.addAll(List.of(words));
        all.addAll(List.of("--database", target.url()));
        if (target.user() != null) {
            all.addAll(List.of("--user", target.user()));
        }
        RecordedTerminal terminal = new RecordedTerminal();
        int exitCode = terminal.run(all.toArray(String[]::new));
        return new Run(exitCode, terminal.out(), terminal.err());
    }

    @Override
    public void close() {
        stopRelay();
        pool.close();
    }

    /** What a command printed, and its exit code. */
    record Run(int exitCode, String out, String err) {}

    private final class Shop implements Transport {
        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            for (Delivery delivery : batch) {
                boolean refused = delivery.event().type().equals(POISON) && !mended;
                if (!refused) {
                    delivered.add(delivery);
                }
                listener.onResult(delivery, refused ? DeliveryResult.rejected(REASON) : DeliveryResult.delivered());
            }
        }

        @Override
        public void close() {}
    }
}
