package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.audit.Signature;
import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.Outcome;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A store in a database of its own, and short words for what a writer and a relay do with it. */
final class StoreRig {
    static final Signature TESTER = Signature.of("tester", "");
    private static final UUID RELAY = UUID.randomUUID();
    private static final Duration LONG = Duration.ofMinutes(10);

    final DataSource database;
    final JdbcOutboxStore store;

    StoreRig(DataSource database, JdbcStoreConfig config) {
        this(database, JdbcOutboxStore.create(database, config));
    }

    StoreRig(DataSource database, JdbcOutboxStore store) {
        this.database = database;
        this.store = store;
        store.migrate();
    }

    static Event event(String key) {
        return Event.to("orders").key(key).type("T").build();
    }

    static List<Event> events(int count) {
        return IntStream.range(0, count).mapToObj(i -> event("k-" + i % 10)).toList();
    }

    void publish(List<Event> events) {
        Sql.unchecked(() -> {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                store.append(connection, events, Set.of());
                connection.commit();
                return true;
            }
        });
    }

    /** All that is in the outbox, by sequence. */
    List<Entry> outbox() {
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, 100_000, Long.MAX_VALUE, Set.of()))
                .toList();
        return store.scan(RELAY, cursors).pages().stream()
                .flatMap(page -> page.entries().stream())
                .sorted(Comparator.comparingLong(Entry::sequence))
                .toList();
    }

    void settle(List<? extends Outcome> outcomes) {
        store.take(RELAY, Shards.COUNT, LONG);
        List<Lease> leases = store.renew(RELAY, LONG).leases();
        assertThat(store.settle(RELAY, leases, List.copyOf(outcomes))).isEmpty();
    }

    void settleAll() {
        settle(delivered(outbox()));
    }

    static List<Outcome> delivered(List<Entry> entries) {
        return entries.stream()
                .<Outcome>map(entry -> new Outcome.Delivered(entry.shard(), entry.sequence()))
                .toList();
    }

    long count(String table) {
        return Sql.number(database, "SELECT count(*) FROM waybill_" + table);
    }

    static List<UUID> ids(List<Entry> entries) {
        return entries.stream().map(entry -> entry.event().id()).toList();
    }

    static List<UUID> idsOf(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }
}
