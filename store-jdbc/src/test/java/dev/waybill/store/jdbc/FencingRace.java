package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
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
        assertThat(store.list(0, 10)).isEmpty();
        assertThat(store.parked(10)).isEmpty();
    }

    private Lease takeAndPublish() throws SQLException {
        List<Lease> leases = store.take(ZOMBIE, Shards.COUNT, Duration.ofMinutes(1));
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            Event event = Event.to(KEY.destination()).key(KEY.key()).type("T").build();
            store.append(connection, List.of(event), Set.of());
            connection.commit();
        }
        return leases.stream()
                .filter(lease -> lease.shard() == KEY.shard())
                .findFirst()
                .orElseThrow();
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
