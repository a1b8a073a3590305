package dev.waybill.store.memory;

import dev.waybill.store.DueCursor;
import dev.waybill.store.Entry;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The committed outbox rows of one shard, with an index for each way to read them; guarded by the store's lock. */
final class ShardRows {
    private final TreeMap<Long, Row> bySequence = new TreeMap<>();
    private final Map<String, TreeMap<Long, Row>> byDestination = new HashMap<>();
    private final TreeMap<DueCursor, Row> byDue =
            new TreeMap<>(Comparator.comparing(DueCursor::time).thenComparingLong(DueCursor::sequence));

    void add(Row row) {
        bySequence.put(row.sequence, row);
        byDestination
                .computeIfAbsent(row.event.destination(), destination -> new TreeMap<>())
                .put(row.sequence, row);
        DueCursor due = row.due();
        if (due != null) {
            byDue.put(due, row);
        }
    }

    void remove(Row row) {
        bySequence.remove(row.sequence);
        TreeMap<Long, Row> lane = byDestination.get(row.event.destination());
        if (lane != null && lane.remove(row.sequence) != null && lane.isEmpty()) {
            byDestination.remove(row.event.destination());
        }
        DueCursor due = row.due();
        if (due != null) {
            byDue.remove(due);
        }
    }

    int size() {
        return bySequence.size();
    }

    Stream<Row> rows() {
        return bySequence.values().stream();
    }

    @Nullable
    Row find(long sequence) {
        return bySequence.get(sequence);
    }

    ShardPage scan(ScanCursor cursor, Lease lease, boolean owned, Instant now) {
        Page page = new Page(cursor.position(), cursor.limit(), cursor.maxBytes());
        for (Row row : bySequence.tailMap(cursor.position(), false).values()) {
            boolean skipped = cursor.skipped().contains(row.event.destination());
            if (!(skipped ? page.pass(row) : page.take(row, now))) {
                break;
            }
        }
        long position = page.more ? page.position : Math.max(page.position, cursor.decided());
        return new ShardPage(lease, owned, page.entries, position, page.more, below(cursor));
    }

    private List<Long> below(ScanCursor cursor) {
        if (cursor.lowWater() == cursor.position()) {
            return List.of();
        }
        return List.copyOf(bySequence
                .subMap(cursor.lowWater(), false, cursor.position(), true)
                .keySet());
    }

    LanePage readLane(LaneCursor cursor, Instant now) {
        Page page = new Page(cursor.position(), cursor.limit(), cursor.maxBytes());
        TreeMap<Long, Row> lane = byDestination.get(cursor.destination());
        if (lane != null) {
            for (Row row : lane.tailMap(cursor.position(), false).values()) {
                if (!page.take(row, now)) {
                    break;
                }
            }
        }
        return new LanePage(cursor, page.entries, page.position, page.more);
    }

    /** The first row with a due time after the cursor, due or not. */
    @Nullable
    Row afterDue(DueCursor cursor) {
        Map.Entry<DueCursor, Row> next = byDue.isEmpty() ? null : byDue.higherEntry(cursor);
        return next == null ? null : next.getValue();
    }

    /** A page while it is read. */
    private static final class Page {
        private final int limit;
        private final long maxBytes;
        private int count;
        private long bytes;
        private final List<Entry> entries = new ArrayList<>();
        private long position;
        private boolean more;

        Page(long position, int limit, long maxBytes) {
            this.position = position;
            this.limit = limit;
            this.maxBytes = maxBytes;
        }

        /** Adds a row unless the page is full; what it does not add is more to read. */
        boolean take(Row row, Instant now) {
            bytes += row.event.payload().size();
            if (count > 0 && bytes > maxBytes) {
                more = true;
            } else if (pass(row)) {
                entries.add(row.read(now));
            }
            return !more;
        }

        /** Moves beyond a row that somebody else reads. */
        boolean pass(Row row) {
            if (count == limit) {
                more = true;
                return false;
            }
            count++;
            position = row.sequence;
            return true;
        }
    }
}
