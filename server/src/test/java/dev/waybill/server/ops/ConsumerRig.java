package dev.waybill.server.ops;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.event.EventHeaders;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.relay.Relay;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.jdbc.JdbcInbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.NonRetryableException;
import java.sql.Connection;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A consumer with an inbox on a real database, which refuses everything until it is mended. */
final class ConsumerRig implements AutoCloseable {
    static final String PREFIX = "waybill_inbox_";

    private final HikariDataSource pool;
    private final JdbcOutboxStore siding;
    private final InboxConsumer<Connection> consumer;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Relay relay;
    private final Queue<UUID> handled = new ConcurrentLinkedQueue<>();
    private volatile boolean mended;

    ConsumerRig(Pools.Target target) {
        pool = Pools.open(target, "consumer-rig", 6);
        siding = JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults().withTablePrefix(PREFIX));
        siding.migrate();
        consumer = InboxConsumer.named("stock", new JdbcInbox(pool, siding))
                .on("order.placed", (connection, delivery) -> {
                    if (!mended) {
                        throw new OutOfStock();
                    }
                    handled.add(delivery.event().id());
                })
                .build();
        relay = SidingRelay.start(siding, threads, consumer);
        await().until(() -> relay.status().ownedShards() == 64);
    }

    /** Gives the consumer an event, and tells its sequence as a dead letter. */
    long refuse(String key) {
        Event event = Event.to("orders")
                .key(key)
                .type("order.placed")
                .json("{\"amount\": 7}")
                .header(EventHeaders.SOURCE, "shop")
                .header(EventHeaders.SAGA_ID, "saga-1")
                .header(EventHeaders.CORRELATION_ID, "c-1")
                .build();
        consumer.accept(new Delivery(event, 1, 1, 0, 0));
        return siding.deadLetters().list(DeadLetterFilter.all().withKey(key), 0, 1).stream()
                .findFirst()
                .orElseThrow()
                .entry()
                .sequence();
    }

    /** From now on everything is handled. */
    void mend() {
        mended = true;
    }

    List<UUID> handled() {
        return List.copyOf(handled);
    }

    /** Waits until a dead letter was tried again so often, and failed. */
    void awaitReplays(long sequence, int replays) {
        await().until(() -> siding.deadLetters()
                .find(sequence)
                .filter(letter -> letter.state().isOpen() && letter.replays() == replays)
                .isPresent());
    }

    @Override
    public void close() {
        relay.close();
        threads.shutdownNow();
        pool.close();
    }

    /** A business error whose message would forge a terminal. */
    static final class OutOfStock extends Exception implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        OutOfStock() {
            super("no pens \u001b[31m");
        }
    }
}
