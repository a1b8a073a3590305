package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The race that the fence is for: a relay settles while somebody takes its shard, on two real connections. */
abstract class FencingRace {
    private static final UUID ZOMBIE = UUID.randomUUID();
    private static final UUID SUCCESSOR = UUID.randomUUID();
    private static final OrderKey KEY = new OrderKey("orders", "o-1");

    private final DataSource database;
    private final String countWaiting;
    private final JdbcOutboxStore store;

    /** A race in a database that tells with this query how many sessions wait for a lock. */
    FencingRace(DataSource database, String countWaiting) {
        this.database = database;
        this.countWaiting = countWaiting;
        store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
        store.migrate();
    }

    @Test
    void aDeliveryIsNotSettledOnceTheShardIsTaken() throws Exception {
        assertWaitsAndChangesNothing((lease, entry) ->
                store.settle(ZOMBIE, List.of(lease), List.of(new Outcome.Delivered(entry.shard(), entry.sequence()))));
    }

    @Test
    void aFailureIsNotSettledOnceTheShardIsTaken() throws Exception {
        assertWaitsAndChangesNothing((lease, entry) -> store.settle(
                ZOMBIE,
                List.of(lease),
                List.of(new Outcome.Retried(entry.shard(), entry.sequence(), Duration.ofHours(1), "late"))));
    }

    @Test
    void aDeathIsNotSettledOnceTheShardIsTaken() throws Exception {
        assertWaitsAndChangesNothing((lease, entry) -> store.settle(
                ZOMBIE,
                List.of(lease),
                List.of(new Outcome.Died(entry.shard(), entry.sequence(), "late", DeadLetterPolicy.PARK))));
    }

    private void assertWaitsAndChangesNothing(BiFunction<Lease, Entry, Set<Integer>> settle) throws Exception {
        Lease lease = takeAndPublish();
        Entry entry = onlyEntry();
        try (Connection takeover = database.getConnection()) {
            takeover.setAutoCommit(false);
            Sql.execute(
                    takeover,
                    "UPDATE waybill_lease SET owner = '" + SUCCESSOR + "', epoch = epoch + 1 WHERE shard = "
                            + KEY.shard());

            CompletableFuture<Set<Integer>> settling = CompletableFuture.supplyAsync(() -> settle.apply(lease, entry));
            awaitOneWaitingForALock();
            assertThat(settling).isNotDone();
            takeover.commit();

            assertThat(settling.get()).containsExactly(KEY.shard());
        }
        assertThat(onlyEntry()).isEqualTo(entry);
        assertThat(store.deadLetters().list(DeadLetterFilter.all(), 0, 10)).isEmpty();
        assertThat(store.deadLetters().parked(10)).isEmpty();
    }

    @Test
    void aRestoreThatWaitedForAReleaseStrandsNothing() throws Exception {
        Lease lease = takeAndPublish();
        Entry entry = onlyEntry();
        park(lease, entry);
        // It may put the entry back or refuse, because the snapshot that it began with does not show the release.
        whileReleasing(entry, () -> store.restore(ZOMBIE, lease, KEY, 10));
        store.restore(ZOMBIE, lease, KEY, 10);
        assertThat(onlyEntry().sequence()).isEqualTo(entry.sequence());
        assertThat(store.deadLetters().parked(10)).isEmpty();
    }

    @Test
    void aHoldThatWaitedForAReleaseMovesNothing() throws Exception {
        Lease lease = takeAndPublish();
        Entry entry = onlyEntry();
        park(lease, entry);
        publish();
        assertThat(whileReleasing(entry, () -> store.hold(ZOMBIE, lease, KeyCursor.all(KEY), 10)))
                .hasValue(0);
        assertThat(onlyEntry().sequence()).isGreaterThan(entry.sequence());
    }

    private void park(Lease lease, Entry entry) {
        Outcome died = new Outcome.Died(entry.shard(), entry.sequence(), "broken", DeadLetterPolicy.PARK);
        assertThat(store.settle(ZOMBIE, List.of(lease), List.of(died))).isEmpty();
    }

    /** Does something that has to wait for a release of the key, which then commits. */
    private OptionalInt whileReleasing(Entry dead, Supplier<OptionalInt> action) throws Exception {
        try (Connection release = database.getConnection()) {
            release.setAutoCommit(false);
            Sql.execute(release, "UPDATE waybill_lease SET rewind = rewind + 1 WHERE shard = " + KEY.shard());
            Sql.execute(release, "UPDATE waybill_parked_key SET state = 'RELEASING'");
            Sql.execute(
                    release,
                    "UPDATE waybill_dead_letter SET state = 'WAITING', attempts = 0, died_at = NULL WHERE seq = "
                            + dead.sequence());
            CompletableFuture<OptionalInt> waiting = CompletableFuture.supplyAsync(action);
            awaitOneWaitingForALock();
            release.commit();
            return waiting.get();
        }
    }

    private Lease takeAndPublish() throws SQLException {
        List<Lease> leases = store.take(ZOMBIE, Shards.COUNT, Duration.ofMinutes(1));
        publish();
        return leases.stream()
                .filter(lease -> lease.shard() == KEY.shard())
                .findFirst()
                .orElseThrow();
    }

    private void publish() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            Event event = Event.to(KEY.destination()).key(KEY.key()).type("T").build();
            store.append(connection, List.of(event), Set.of());
            connection.commit();
        }
    }

    private Entry onlyEntry() {
        List<Entry> entries = store.scan(
                        ZOMBIE, List.of(new ScanCursor(KEY.shard(), 0, 0, 10, Long.MAX_VALUE, Set.of())))
                .pages()
                .get(0)
                .entries();
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }

    private void awaitOneWaitingForALock() {
        Awaitility.await().until(() -> Sql.number(database, countWaiting) == 1);
    }
}
