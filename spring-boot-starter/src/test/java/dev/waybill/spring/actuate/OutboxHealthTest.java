package dev.waybill.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.audit.AuditTrail;
import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.operations.Administration;
import dev.waybill.operations.Operations;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.TransactionalOutbox;
import dev.waybill.relay.Relay;
import dev.waybill.relay.Route;
import dev.waybill.replay.Replays;
import dev.waybill.spring.actuate.HealthReport.Status;
import dev.waybill.store.StoreException;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.transport.InProcessTransport;
import dev.waybill.transport.RejectedEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class OutboxHealthTest {
    private static final Duration HANDOVER = Duration.ofSeconds(20);
    private static final HealthLimits LIMITS =
            new HealthLimits(Duration.ofMinutes(5), -1, HANDOVER, Duration.ofSeconds(30));

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long nanos;
    private final MemoryOutboxStore store = new MemoryOutboxStore(() -> now);

    @Test
    void anOutboxWhoseShardsAllHaveARelayIsUp() {
        ownAllShards();

        HealthReport report = health(LIMITS).check();

        assertThat(report.status()).isEqualTo(Status.UP);
        assertThat(detail(report, "ownedShards")).isEqualTo("64 of 64");
        assertThat(detail(report, "problems")).isEqualTo(List.of());
    }

    @Test
    void anOldBacklogDegradesAndTakesNothingDown() {
        ownAllShards();
        publish("orders");
        OutboxHealth health = health(LIMITS);
        assertThat(health.check().status()).isEqualTo(Status.UP);

        advance(Duration.ofMinutes(6));
        ownAllShards();

        HealthReport report = health.check();
        assertThat(report.status()).isEqualTo(Status.DEGRADED);
        assertThat(detail(report, "problems"))
                .isEqualTo(List.of("The oldest event for orders has been waiting for 6m; 5m is allowed"));
        assertThat(health(new HealthLimits(Duration.ZERO, -1, HANDOVER, LIMITS.patience()))
                        .check()
                        .status())
                .isEqualTo(Status.UP);
    }

    @Test
    void whatIsHeldBackByDecisionIsNotLate() {
        publish("orders");
        store.operations().pauseDestination("orders", Signature.of("me", "maintenance"));
        advance(Duration.ofMinutes(6));
        ownAllShards();

        HealthReport report = health(LIMITS).check();

        assertThat(report.status()).isEqualTo(Status.UP);
        assertThat(detail(report, "pausedDestinations")).isEqualTo(List.of("orders"));
    }

    @Test
    void whatTheSettingsHoldBackIsNeitherLateNorUnavailable() {
        InProcessTransport transport =
                InProcessTransport.builder().on("OrderPlaced", delivery -> {}).build();
        publish("orders");
        advance(Duration.ofMinutes(6));
        try (Relay relay = Relay.builder(store)
                .route("orders", Route.to(transport).withPaused(true))
                .build()
                .start()) {
            await().until(() -> relay.status().pausedDestinations().containsKey("orders"));
            HealthReport report = health(LIMITS, relay).check();

            assertThat(report.status()).isEqualTo(Status.UP);
            assertThat(detail(report, "pausedDestinations")).isEqualTo(List.of("orders"));
            assertThat(detail(report, "unavailableDestinations")).isEqualTo(Map.of());
        }
    }

    @Test
    void deadLettersDegradeIfTheyAreMoreThanAllowed() {
        InProcessTransport refusing = InProcessTransport.builder()
                .on("OrderPlaced", delivery -> {
                    throw new RejectedEventException("no");
                })
                .build();
        publish("orders");
        try (Relay relay =
                Relay.builder(store).route("orders", refusing).build().start()) {
            await().until(() -> store.operations().statistics().dead() == 1);
            await().until(() -> relay.status().ownedShards() == 64);

            assertThat(health(LIMITS).check().status()).isEqualTo(Status.UP);
            assertThat(health(new HealthLimits(Duration.ZERO, 1, HANDOVER, LIMITS.patience()))
                            .check()
                            .status())
                    .isEqualTo(Status.UP);
            HealthReport report = health(new HealthLimits(Duration.ZERO, 0, HANDOVER, LIMITS.patience()), relay)
                    .check();
            assertThat(report.status()).isEqualTo(Status.DEGRADED);
            assertThat(detail(report, "problems")).isEqualTo(List.of("1 dead letters need a decision; 0 may"));
            assertThat(detail(report, "relaysHere").toString())
                    .contains("id=" + relay.id(), "ownedShards=64", "leaseLosses=0");
        }
    }

    /** A relay that came or went is no problem; shards that stay without one are. */
    @Test
    void shardsWithoutARelayDegradeAfterTheTimeOfAHandover() {
        OutboxHealth health = health(LIMITS);
        assertThat(health.check().status()).isEqualTo(Status.UP);

        advance(HANDOVER.minusSeconds(1));
        assertThat(health.check().status()).isEqualTo(Status.UP);
        advance(Duration.ofSeconds(2));
        HealthReport report = health.check();
        assertThat(report.status()).isEqualTo(Status.DEGRADED);
        assertThat(detail(report, "problems")).isEqualTo(List.of("No relay is running: nothing is delivered"));

        ownAllShards();
        advance(Duration.ofSeconds(2));
        assertThat(health.check().status()).isEqualTo(Status.UP);
    }

    @Test
    void aStoreThatFailsIsDown() {
        HealthReport report = health(LIMITS, broken(() -> {
                    throw new StoreException("connection refused", new IllegalStateException());
                }))
                .check();

        assertThat(report.status()).isEqualTo(Status.DOWN);
        assertThat(detail(report, "problems").toString()).contains("connection refused");
    }

    /** Each question would take a thread: they share one, until it has an answer. */
    @Test
    void aStoreThatHangsIsDownQuicklyAndIsAskedOnce() {
        CountDownLatch back = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        HealthLimits impatient = new HealthLimits(Duration.ZERO, -1, HANDOVER, Duration.ofMillis(50));
        OutboxHealth health = health(impatient, broken(() -> {
            asked.incrementAndGet();
            try {
                back.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return store.operations();
        }));

        for (int i = 0; i < 3; i++) {
            HealthReport report = health.check();
            assertThat(report.status()).isEqualTo(Status.DOWN);
            assertThat(detail(report, "problems")).isEqualTo(List.of("The store has not answered within 50ms"));
            advance(Duration.ofSeconds(10));
        }
        assertThat(asked).hasValue(1);

        back.countDown();
        await().until(() -> health.check().status() == Status.UP);
    }

    @Test
    void theWorstOfSeveralOutboxesCountsAndTheOthersAreShown() {
        ownAllShards();
        WatchedOutbox good = new WatchedOutbox("orders", store, List::of);
        WatchedOutbox bad = new WatchedOutbox(
                "billing",
                broken(() -> {
                    throw new StoreException("gone", new IllegalStateException());
                }),
                List::of);

        HealthReport report = new OutboxHealth(() -> List.of(bad, good), LIMITS, () -> nanos).check();

        assertThat(report.status()).isEqualTo(Status.DOWN);
        assertThat(report.details()).containsOnlyKeys("billing", "orders");
        assertThat(String.valueOf(report.details().get("orders"))).contains("64 of 64");
    }

    private void advance(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
    }

    private void ownAllShards() {
        UUID relay = UUID.randomUUID();
        store.renew(relay, Duration.ofMinutes(5));
        store.take(relay, 64, Duration.ofMinutes(5));
    }

    private void publish(String destination) {
        try (MemoryTransaction transaction = store.begin()) {
            new TransactionalOutbox<>(store, OutboxConfig.defaults())
                    .on(transaction)
                    .publish(Event.to(destination)
                            .type("OrderPlaced")
                            .occurredAt(now)
                            .build());
            transaction.commit();
        }
    }

    private OutboxHealth health(HealthLimits limits, Relay... relays) {
        WatchedOutbox outbox = new WatchedOutbox("orders", store, () -> List.of(relays));
        return new OutboxHealth(() -> List.of(outbox), limits, () -> nanos);
    }

    private OutboxHealth health(HealthLimits limits, Administration administration) {
        WatchedOutbox outbox = new WatchedOutbox("orders", administration, List::of);
        return new OutboxHealth(() -> List.of(outbox), limits, () -> nanos);
    }

    private static Object detail(HealthReport report, String name) {
        return Objects.requireNonNull(
                ((Map<?, ?>) report.details().values().iterator().next()).get(name));
    }

    private Administration broken(Supplier<Operations> operations) {
        return new Administration() {
            @Override
            public Operations operations() {
                return operations.get();
            }

            @Override
            public DeadLetters deadLetters() {
                return store.deadLetters();
            }

            @Override
            public Replays replays() {
                return store.replays();
            }

            @Override
            public AuditTrail auditTrail() {
                return store.auditTrail();
            }
        };
    }
}
