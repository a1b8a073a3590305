package dev.waybill.store.jdbc;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Outcome;
import dev.waybill.testkit.store.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An application that cancels an event and does not commit must not make a relay wait, nor lose anything. */
@ParameterizedClass
@MethodSource("databases")
class OpenCancelTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final OrderKey KEY = new OrderKey("orders", "k");

    private final DataSource database;
    private final String countWaiting;
    private final StoreFixture fixture;
    private final OutboxStore store;

    OpenCancelTest(DataSource database, String countWaiting) {
        this.database = database;
        this.countWaiting = countWaiting;
        fixture = new JdbcStoreFixture(database, JdbcStoreConfig.defaults());
        store = fixture.store();
    }

    static Stream<Arguments> databases() {
        return Stream.of(
                Arguments.of(EmbeddedDatabases.postgres18(), "SELECT count(*) FROM pg_locks WHERE NOT granted"),
                Arguments.of(EmbeddedDatabases.mariadb(), EmbeddedMariaDb.COUNT_WAITING));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aSettleDoesNotWaitForAnOpenCancel() throws Exception {
        Event timer = delayed("t");
        publish(timer);
        publish(event("other"));
        List<Lease> leases = store.take(RELAY, 64, Duration.ofMinutes(1));
        Entry timerEntry = entry("t");
        Entry other = entry("other");
        try (StoreFixture.Transaction open = fixture.begin()) {
            assertThat(open.cancel(timer.id())).isTrue();
            Set<Integer> lost = CompletableFuture.supplyAsync(() -> store.settle(
                            RELAY,
                            leases,
                            List.of(
                                    new Outcome.Delivered(timerEntry.shard(), timerEntry.sequence()),
                                    new Outcome.Delivered(other.shard(), other.sequence()))))
                    .get(3, TimeUnit.SECONDS);
            assertThat(lost).isEmpty();
            assertThat(store.readKeys(List.of(KeyCursor.all(new OrderKey("orders", "other"))), 10))
                    .isEmpty();
            open.rollback();
        }
        assertThat(store.readKeys(List.of(KeyCursor.all(new OrderKey("orders", "t"))), 10))
                .as("left as it was")
                .hasSize(1);
        store.settle(RELAY, leases, List.of(new Outcome.Delivered(timerEntry.shard(), timerEntry.sequence())));
        assertThat(store.readKeys(List.of(KeyCursor.all(new OrderKey("orders", "t"))), 10))
                .isEmpty();
    }

    @Test
    void aReleasedKeyIsNotFreeBeforeItsLastEntryIsBackThoughOneIsCancelledMeanwhile() {
        publish(event("k"));
        Event timer = delayed("k");
        publish(timer);
        publish(event("k"), event("k"), event("k"), event("k"));
        Lease lease = store.take(RELAY, 64, Duration.ofMinutes(1)).stream()
                .filter(one -> one.shard() == KEY.shard())
                .findFirst()
                .orElseThrow();
        Entry head = entry("k");
        store.settle(
                RELAY,
                List.of(lease),
                List.of(new Outcome.Died(head.shard(), head.sequence(), "dead", DeadLetterPolicy.PARK)));
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(5);
        assertThat(fixture.deadLetters().release(KEY, TESTER)).isTrue();
        CompletableFuture<OptionalInt> restoring;
        try (StoreFixture.Transaction open = fixture.begin()) {
            assertThat(open.cancel(timer.id())).isTrue();
            restoring = CompletableFuture.supplyAsync(() -> store.restore(RELAY, lease, KEY, 3));
            Awaitility.await().until(() -> Sql.number(database, countWaiting) > 0);
            open.commit();
        }
        assertThat(restoring.join()).hasValue(3);
        assertThat(fixture.deadLetters().parked(10)).as("three still wait").hasSize(1);
        assertThat(store.restore(RELAY, lease, KEY, 4)).hasValue(3);
        assertThat(fixture.deadLetters().parked(10)).isEmpty();
        assertThat(store.readKeys(List.of(KeyCursor.all(KEY)), 10)).hasSize(5);
    }

    @Test
    void aRowThatIsNoEventDoesNotStopTheOthers() {
        publish(event("a"));
        Sql.execute(database, "UPDATE waybill_outbox SET type = 'not a type'");
        publish(event("a"));
        assertThat(store.readKeys(List.of(KeyCursor.all(new OrderKey("orders", "a"))), 10))
                .hasSize(1);
        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_outbox"))
                .as("it stays where people can see it")
                .isEqualTo(2);
    }

    private Event delayed(String key) {
        return Event.to("orders")
                .key(key)
                .type("t")
                .availableAt(fixture.now().plusSeconds(60))
                .build();
    }

    private static Event event(String key) {
        return Event.to("orders").key(key).type("t").build();
    }

    private Entry entry(String key) {
        return store.readKeys(List.of(KeyCursor.all(new OrderKey("orders", key))), 1)
                .get(0);
    }

    private void publish(Event... events) {
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(events), Set.of());
            transaction.commit();
        }
    }
}
