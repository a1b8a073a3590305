package dev.waybill.testkit.relay;

import dev.waybill.event.Event;
import dev.waybill.relay.RelayAgent;
import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.relay.Route;
import dev.waybill.relay.Routes;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import dev.waybill.testkit.store.StoreFixture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Relays that are stepped by hand over a store, and short words for what happens around them. */
abstract class RelayRig {
    static final String ORDERS = "orders";
    static final String MAILS = "mails";
    static final Duration LEASE = Duration.ofMillis(900);
    static final Duration POLL = Duration.ofMillis(100);

    final ManualTransport orders = new ManualTransport();
    final ManualTransport mails = new ManualTransport();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    StoreFixture fixture;
    RelayConfig config = RelayConfig.defaults()
            .withLease(LEASE)
            .withPollInterval(POLL)
            .withDeliveryTimeout(Duration.ofMillis(400))
            .withSettleDelay(Duration.ZERO)
            .withProbe(Duration.ofMillis(100), Duration.ofMillis(200));
    RetryPolicy retry = new RetryPolicy(3, Duration.ofMillis(20), Duration.ofMillis(40));

    int ordersPerSecond;
    int ordersInFlight;
    int mailsPriority;
    boolean ordersPaused;
    boolean skipsDeadOrders;
    private boolean holdsWrites;
    private final Queue<Runnable> heldWrites = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init") // JUnit sets the fixture up before each test
    RelayRig() {}

    abstract StoreFixture open();

    @BeforeEach
    void openStore() {
        fixture = open();
    }

    @AfterEach
    void closeStore() {
        fixture.close();
    }

    RelayAgent relay() {
        return relay(fixture.store());
    }

    RelayAgent relay(OutboxStore store) {
        Routes routes = Routes.builder()
                .route(
                        ORDERS,
                        Route.to(orders)
                                .withRetry(retry)
                                .withMaxPerSecond(ordersPerSecond)
                                .withMaxInFlight(ordersInFlight)
                                .withDeadLetters(skipsDeadOrders ? DeadLetterPolicy.SKIP : DeadLetterPolicy.PARK)
                                .withPaused(ordersPaused))
                .route(MAILS, Route.to(mails).withRetry(retry).withPriority(mailsPriority))
                .build();
        return relay(store, routes);
    }

    RelayAgent relay(OutboxStore store, Routes routes) {
        return new RelayAgent(
                UUID.randomUUID(),
                store,
                routes,
                config,
                this::storeNanos,
                new SplittableRandom(7),
                registry,
                this::write);
    }

    private void write(Runnable batch) {
        if (holdsWrites) {
            heldWrites.add(batch);
        } else {
            batch.run();
        }
    }

    /** From now on outcomes are written when the test says so. */
    void holdWrites() {
        holdsWrites = true;
    }

    /** The writer died with what it had to write. */
    void dropWrites() {
        holdsWrites = false;
        heldWrites.clear();
    }

    void letWritesGo() {
        holdsWrites = false;
        finishWrites();
    }

    /** Those that were held; later ones are held again. */
    void finishWrites() {
        while (!heldWrites.isEmpty()) {
            heldWrites.remove().run();
        }
    }

    /** The relays live by the store's clock, so that a test lets time pass for both at once. */
    private long storeNanos() {
        Instant now = fixture.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    static Event order(String key, String text) {
        return Event.to(ORDERS).key(key).type("order").json(text).build();
    }

    static Event mail(String key, String text) {
        return Event.to(MAILS).key(key).type("mail").json(text).build();
    }

    static Event keyless(String text) {
        return Event.to(ORDERS).type("order").json(text).build();
    }

    void publish(Event... events) {
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(events), Set.of());
            transaction.commit();
        }
    }

    StoreFixture.Transaction publishOpen(Event... events) {
        StoreFixture.Transaction transaction = fixture.begin();
        transaction.append(List.of(events), Set.of());
        return transaction;
    }

    /** Steps until no relay finds anything to do, without letting time pass. */
    static void drain(RelayAgent... relays) {
        for (RelayAgent relay : relays) {
            relay.wakeUp(ShardSet.ALL);
        }
        int idle = 0;
        for (int steps = 0; idle < 2; steps++) {
            if (steps > 100_000) {
                throw new AssertionError("The relays never come to rest");
            }
            int work = 0;
            for (RelayAgent relay : relays) {
                work += relay.doWork();
            }
            idle = work == 0 ? idle + 1 : 0;
        }
    }

    /** Steps while time passes, until the condition holds. */
    void runUntil(BooleanSupplier condition, Duration atMost, RelayAgent... relays) {
        Instant end = fixture.now().plus(atMost);
        drain(relays);
        while (!condition.getAsBoolean()) {
            if (fixture.now().isAfter(end)) {
                throw new AssertionError("Not reached within " + atMost);
            }
            fixture.passTime(Duration.ofMillis(10));
            for (RelayAgent relay : relays) {
                while (relay.doWork() > 0) {
                    // all that can be done at this time
                }
            }
        }
    }

    /** Steps while so much time passes. */
    void runFor(Duration time, RelayAgent... relays) {
        Instant end = fixture.now().plus(time);
        runUntil(() -> fixture.now().isAfter(end), time.plusSeconds(60), relays);
    }

    List<Entry> outbox() {
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, 100_000, Long.MAX_VALUE, Set.of()))
                .toList();
        List<Entry> entries = new ArrayList<>();
        for (ShardPage page : fixture.store().scan(UUID.randomUUID(), cursors).pages()) {
            entries.addAll(page.entries());
        }
        return entries;
    }

    static OrderKey key(String key) {
        return new OrderKey(ORDERS, key);
    }
}
