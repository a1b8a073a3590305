package dev.waybill.store.memory;

import dev.waybill.store.Entry;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What was delivered, in the order of delivery; guarded by the store's lock. */
final class History {

    /** Where a delivery is in the order: those of one settle have one time, and follow by sequence. */
    record Position(Instant deliveredAt, long sequence) implements Comparable<Position> {
        private static final Comparator<Position> ORDER =
                Comparator.comparing(Position::deliveredAt).thenComparingLong(Position::sequence);

        /** Before all deliveries of a time. */
        static Position before(Instant time) {
            return new Position(time, Long.MIN_VALUE);
        }

        @Override
        public int compareTo(Position other) {
            return ORDER.compare(this, other);
        }
    }

    private final TreeMap<Position, Entry> entries = new TreeMap<>();

    void add(Row row, Instant deliveredAt) {
        entries.put(new Position(deliveredAt, row.sequence), row.atRest());
    }

    Collection<Map.Entry<Position, Entry>> all() {
        return entries.entrySet();
    }

    /** Deliveries of a time or later. */
    Collection<Entry> since(Instant time) {
        return entries.tailMap(Position.before(time)).values();
    }

    /** Deliveries after a position and before a time. */
    SortedMap<Position, Entry> between(Position after, Instant end) {
        Position last = Position.before(end);
        return after.compareTo(last) < 0 ? entries.subMap(after, false, last, false) : Collections.emptySortedMap();
    }

    /** Removes up to so many deliveries of before a time, the oldest first. */
    int removeBefore(Instant time, int limit) {
        int removed = 0;
        while (removed < limit
                && !entries.isEmpty()
                && entries.firstKey().deliveredAt().isBefore(time)) {
            entries.pollFirstEntry();
            removed++;
        }
        return removed;
    }
}
