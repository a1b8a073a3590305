package dev.waybill.store.jdbc;

import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.jdbc.MariaSql.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what has become due, on MariaDB. Immutable and thread-safe.
 *
 * <p>Every shard answers a part of the page from its index, and the page ends where the first part ends: what comes after
 * that in other shards may come after something that this shard has not shown yet. So the read stays a small multiple of the
 * limit, although any one shard may hold all that is due.
 */
final class MariaDue {
    private static final int SMALLEST_PART = 64;
    private static final Comparator<Due> ORDER =
            Comparator.comparing(Due::time).thenComparingLong(one -> one.place.sequence());

    private final MariaSessions sessions;
    private final Tables tables;
    private final MariaFlavour flavour;
    private final MariaScan scan;

    MariaDue(MariaSessions sessions, Tables tables, MariaFlavour flavour, MariaScan scan) {
        this.sessions = sessions;
        this.tables = tables;
        this.flavour = flavour;
        this.scan = scan;
    }

    private record Due(Place place, Instant time, Duration dueIn) {
        boolean now() {
            return dueIn.isZero();
        }
    }

    DuePage read(Connection connection, Set<Integer> shards, DueCursor after, int limit) throws SQLException {
        if (shards.isEmpty()) {
            return new DuePage(List.of(), after, false, Optional.empty());
        }
        int part = Math.min(limit + 1, Math.max(SMALLEST_PART, 4 * limit / shards.size() + 1));
        List<Due> page = new ArrayList<>();
        Optional<Duration> nextIn = Optional.empty();
        @Nullable Due end = null;
        for (List<Due> ofShard : look(connection, shards, after, part).values()) {
            Due last = ofShard.get(ofShard.size() - 1);
            if (ofShard.size() == part && last.now() && (end == null || ORDER.compare(last, end) < 0)) {
                end = last;
            }
            for (Due one : ofShard) {
                if (one.now()) {
                    page.add(one);
                } else if (nextIn.isEmpty() || one.dueIn.compareTo(nextIn.get()) < 0) {
                    nextIn = Optional.of(one.dueIn);
                }
            }
        }
        page.sort(ORDER);
        boolean more = end != null || page.size() > limit;
        Due lastShown = end;
        if (lastShown != null) {
            page.removeIf(one -> ORDER.compare(one, lastShown) > 0);
        }
        List<Due> taken = page.subList(0, Math.min(limit, page.size()));
        DueCursor next = taken.isEmpty() ? after : cursor(taken.get(taken.size() - 1));
        return new DuePage(entries(connection, taken), next, more, more ? Optional.of(Duration.ZERO) : nextIn);
    }

    private static DueCursor cursor(Due last) {
        return new DueCursor(last.time, last.place.sequence());
    }

    /** What follows the cursor in each shard, whether due or not: the first that is not says when to look again. */
    private Map<Integer, List<Due>> look(Connection connection, Set<Integer> shards, DueCursor after, int part)
            throws SQLException {
        List<String> selects = new ArrayList<>();
        for (int shard : shards) {
            selects.add("""
                    (SELECT shard, seq, due_at, %s FROM {outbox} FORCE INDEX (%soutbox_due)
                    WHERE shard = %d AND (due_at > ? OR (due_at = ? AND seq > %d)) ORDER BY due_at, seq LIMIT %d)
                    """.formatted(MariaSql.DUE_IN, tables.prefix(), shard, after.sequence(), part));
        }
        Map<Integer, List<Due>> found = new HashMap<>();
        try (PreparedStatement statement = sessions.prepareRead(connection, tables.sql(MariaSql.union(4, selects)))) {
            for (int i = 0; i < 2 * shards.size(); i++) {
                flavour.bind(statement, i + 1, after.time());
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Place place = new Place(rows.getInt(1), rows.getLong(2));
                    Instant time = EntryRows.required(flavour.time(rows, 3));
                    found.computeIfAbsent(place.shard(), shard -> new ArrayList<>())
                            .add(new Due(place, time, EntryRows.micros(rows.getLong(4))));
                }
            }
        }
        return found;
    }

    private List<Entry> entries(Connection connection, List<Due> page) throws SQLException {
        if (page.isEmpty()) {
            return List.of();
        }
        Map<Place, Entry> read = new HashMap<>();
        for (Entry entry : scan.read(connection, page.stream().map(Due::place).toList())) {
            read.put(new Place(entry.shard(), entry.sequence()), entry);
        }
        List<Entry> entries = new ArrayList<>();
        for (Due one : page) {
            Entry entry = read.get(one.place);
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }
}
