package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.DueCursor;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On MariaDB, with applications in REPEATABLE READ: nobody waits for a relay, and a relay waits for nobody. */
class MariaIsolationTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final UUID OTHER = UUID.randomUUID();
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final OrderKey KEY = new OrderKey("orders", "o-1");
    private static final OrderKey NEIGHBOUR = IntStream.range(0, 100_000)
            .mapToObj(i -> new OrderKey("orders", "n-" + i))
            .filter(key -> key.shard() == KEY.shard())
            .findFirst()
            .orElseThrow();

    private final DataSource database = EmbeddedDatabases.mariadb();
    private final JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
    private final FrozenBeforeCommit frozen = new FrozenBeforeCommit(database);
    private final JdbcOutboxStore frozenStore = JdbcOutboxStore.create(frozen.dataSource(), JdbcStoreConfig.defaults());
    private final ExecutorService threads = Executors.newCachedThreadPool();

    MariaIsolationTest() {
        store.migrate();
    }

    @AfterEach
    void stop() throws InterruptedException {
        frozen.thaw();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void writersDoNotWaitForASettleThatIsOpen() throws Exception {
        List<Lease> leases = store.take(RELAY, Shards.COUNT, LONG);
        publish(KEY, KEY, KEY, KEY, NEIGHBOUR);
        List<Entry> entries = shard();
        List<Outcome> outcomes = List.of(
                delivered(entries.get(0)),
                new Outcome.Retried(KEY.shard(), entries.get(1).sequence(), Duration.ofHours(1), "failed"),
                new Outcome.Died(KEY.shard(), entries.get(2).sequence(), "dead", DeadLetterPolicy.PARK),
                delivered(entries.get(4)),
                // Gone already, and beyond the last one: where it is not, every new entry of the shard would be.
                new Outcome.Delivered(KEY.shard(), entries.get(4).sequence() + 1_000_000));
        Future<Set<Integer>> settling = threads.submit(() -> frozenStore.settle(RELAY, leases, outcomes));
        frozen.awaitFrozen();

        inTime(() -> publish(KEY, NEIGHBOUR, KEY));
        inTime(() -> publish(IntStream.range(0, 300)
                .mapToObj(i -> new OrderKey("orders", "k-" + i))
                .toArray(OrderKey[]::new)));

        frozen.thaw();
        assertThat(settling.get()).isEmpty();
        assertThat(shard()).hasSizeGreaterThanOrEqualTo(5);
        assertThat(store.deadLetters().list(DeadLetterFilter.all(), 0, 10)).hasSize(1);
    }

    @Test
    void writersDoNotWaitForEntriesThatAreBeingMoved() throws Exception {
        Lease lease = leaseOfKey(store.take(RELAY, Shards.COUNT, LONG));
        publish(KEY, KEY, KEY);
        Entry head = shard().get(0);
        store.settle(
                RELAY,
                List.of(lease),
                List.of(new Outcome.Died(KEY.shard(), head.sequence(), "dead", DeadLetterPolicy.PARK)));
        Future<?> holding = threads.submit(() -> frozenStore.hold(RELAY, lease, KeyCursor.all(KEY), 10));
        frozen.awaitFrozen();
        inTime(() -> publish(KEY, NEIGHBOUR));
        frozen.thaw();
        holding.get();

        assertThat(store.deadLetters().release(KEY, StoreRig.TESTER)).isTrue();
        FrozenBeforeCommit again = new FrozenBeforeCommit(database);
        JdbcOutboxStore restoring = JdbcOutboxStore.create(again.dataSource(), JdbcStoreConfig.defaults());
        Future<?> restored = threads.submit(() -> restoring.restore(RELAY, lease, KEY, 10));
        again.awaitFrozen();
        inTime(() -> publish(KEY, NEIGHBOUR));
        again.thaw();
        restored.get();
        assertThat(store.readKeys(List.of(KeyCursor.all(KEY)), 10)).hasSize(5);
    }

    @Test
    void writersDoNotWaitWhileARelayReadsAndSettlesTheirShards() throws Exception {
        List<Lease> leases = store.take(RELAY, Shards.COUNT, LONG);
        AtomicBoolean done = new AtomicBoolean();
        Future<Integer> relay = threads.submit(() -> {
            int settled = 0;
            boolean last = false;
            while (!last) {
                last = done.get();
                List<Outcome> outcomes = new ArrayList<>();
                scanAll().forEach(entry -> outcomes.add(delivered(entry)));
                store.settle(RELAY, leases, outcomes);
                settled += outcomes.size();
            }
            return settled;
        });
        List<Future<Integer>> writers = IntStream.range(0, 3)
                .mapToObj(writer -> threads.submit(() -> {
                    try (Connection connection = application()) {
                        for (int i = 0; i < 150; i++) {
                            append(connection, new OrderKey("orders", writer + "-" + i % 20), KEY);
                            connection.commit();
                        }
                    }
                    return 300;
                }))
                .toList();
        int written = 0;
        for (Future<Integer> writer : writers) {
            written += writer.get();
        }
        done.set(true);

        assertThat(relay.get()).isEqualTo(written);
        assertThat(scanAll()).isEmpty();
    }

    @Test
    void aRelayDoesNotWaitForWritersThatAreOpen() throws Exception {
        List<Lease> leases = store.take(RELAY, Shards.COUNT, LONG);
        publish(KEY, NEIGHBOUR, KEY, KEY);
        List<Entry> entries = shard();
        try (Connection open = application()) {
            append(open, KEY, NEIGHBOUR);
            Lease lease = leaseOfKey(leases);
            inTime(() -> store.settle(
                    RELAY,
                    leases,
                    List.of(
                            new Outcome.Died(KEY.shard(), entries.get(0).sequence(), "dead", DeadLetterPolicy.PARK),
                            delivered(entries.get(1)))));
            inTime(() -> store.hold(RELAY, lease, KeyCursor.all(KEY), 10));
            inTime(() -> store.deadLetters().release(KEY, StoreRig.TESTER));
            inTime(() -> store.restore(RELAY, lease, KEY, 10));
            inTime(() -> store.readDue(Set.of(KEY.shard()), DueCursor.START, 10));
            inTime(() -> store.renew(RELAY, LONG));
            inTime(() -> store.retake(RELAY, LONG));
            assertThat(shard()).hasSize(3);
            open.commit();
        }
        assertThat(shard()).hasSize(5);
    }

    @Test
    void otherRelaysDoNotWaitForOneThatIsFrozen() throws Exception {
        List<Lease> mine = store.take(RELAY, 32, LONG);
        store.take(OTHER, 32, LONG);
        OrderKey ofMine = IntStream.range(0, 1_000)
                .mapToObj(i -> new OrderKey("orders", "k-" + i))
                .filter(key -> mine.stream().anyMatch(lease -> lease.shard() == key.shard()))
                .findFirst()
                .orElseThrow();
        publish(ofMine);
        Entry entry = scanAll().get(0);
        Future<?> settling = threads.submit(() -> frozenStore.settle(RELAY, mine, List.of(delivered(entry))));
        frozen.awaitFrozen();

        inTime(() -> store.renew(OTHER, LONG));
        List<Lease> theirs = inTime(() -> store.retake(OTHER, LONG));
        assertThat(theirs).hasSize(32);
        inTime(() -> store.take(OTHER, 64, LONG));
        inTime(() -> store.scan(OTHER, cursors()));
        inTime(() -> {
            store.giveBack(OTHER, theirs);
            store.leave(OTHER);
            return true;
        });
        frozen.thaw();
        settling.get();
    }

    @Test
    void aRelayThatIsFrozenBeforeItsCommitLosesItsTransactionAndItsShard() throws Exception {
        JdbcStoreConfig impatient = JdbcStoreConfig.defaults().withStatementTimeout(Duration.ofSeconds(1));
        JdbcOutboxStore zombie = JdbcOutboxStore.create(frozen.dataSource(), impatient);
        List<Lease> leases = store.take(RELAY, Shards.COUNT, Duration.ofMillis(100));
        publish(KEY);
        Entry entry = shard().get(0);
        Future<Set<Integer>> settling = threads.submit(() -> zombie.settle(RELAY, leases, List.of(delivered(entry))));
        frozen.awaitFrozen();

        Awaitility.await().atMost(Duration.ofSeconds(8)).until(() -> {
            store.take(OTHER, Shards.COUNT, LONG);
            return store.scan(OTHER, cursors()).pages().stream().allMatch(page -> page.owned());
        });

        frozen.thaw();
        assertThatThrownBy(settling::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.class);
        assertThat(shard()).as("nothing of it happened").containsExactly(entry);
    }

    @Test
    void aCancelThatFindsNothingHoldsUpNobody() throws Exception {
        Event delayed = Event.to("orders")
                .key("o-1")
                .type("T")
                .availableAt(Instant.now().plusSeconds(3600))
                .build();
        try (Connection open = application()) {
            assertThat(store.cancel(open, UUID.randomUUID())).isFalse();
            assertThat(store.cancel(open, UUID.fromString("ffffffff-ffff-7fff-bfff-ffffffffffff")))
                    .isFalse();
            inTime(() -> publish(KEY, NEIGHBOUR));
            inTime(() -> {
                try (Connection other = application()) {
                    store.append(other, List.of(delayed), Set.of());
                    other.commit();
                }
                return true;
            });
        }
        try (Connection open = application()) {
            assertThat(store.cancel(open, delayed.id())).isTrue();
            inTime(() -> publish(KEY, NEIGHBOUR));
            open.commit();
        }
        assertThat(shard()).hasSize(4);
    }

    private <T> T inTime(Callable<T> task) throws Exception {
        return threads.submit(task).get(3, TimeUnit.SECONDS);
    }

    private boolean publish(OrderKey... keys) throws SQLException {
        try (Connection connection = application()) {
            append(connection, keys);
            connection.commit();
        }
        return true;
    }

    /** As applications mostly are. */
    private Connection application() throws SQLException {
        Connection connection = database.getConnection();
        assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        return connection;
    }

    private void append(Connection connection, OrderKey... keys) {
        List<Event> events = new ArrayList<>();
        for (OrderKey key : keys) {
            events.add(Event.to(key.destination()).key(key.key()).type("T").build());
        }
        store.append(connection, events, Set.of());
    }

    private static Outcome delivered(Entry entry) {
        return new Outcome.Delivered(entry.shard(), entry.sequence());
    }

    private static Lease leaseOfKey(List<Lease> leases) {
        return leases.stream()
                .filter(lease -> lease.shard() == KEY.shard())
                .findFirst()
                .orElseThrow();
    }

    private List<Entry> shard() {
        return scanAll().stream().filter(entry -> entry.shard() == KEY.shard()).toList();
    }

    private List<Entry> scanAll() {
        return store.scan(RELAY, cursors()).pages().stream()
                .flatMap(page -> page.entries().stream())
                .toList();
    }

    private static List<ScanCursor> cursors() {
        return IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, 1_000, Long.MAX_VALUE, Set.of()))
                .toList();
    }
}
