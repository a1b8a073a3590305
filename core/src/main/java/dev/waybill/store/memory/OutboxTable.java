package dev.waybill.store.memory;

import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All committed rows that have not arrived; guarded by the store's lock. */
final class OutboxTable {
    private static final Comparator<Head> BY_DUE =
            Comparator.<Head, Instant>comparing(head -> head.due.time()).thenComparingLong(head -> head.due.sequence());

    private final ShardRows[] shards = new ShardRows[Shards.COUNT];
    private final Map<OrderKey, TreeMap<Long, Row>> byKey = new HashMap<>();
    private final Map<UUID, List<Row>> delayedById = new HashMap<>();
    private long lastSequence;

    OutboxTable() {
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new ShardRows();
        }
    }

    /** Draws the next sequence; sequences that are not used leave a gap. */
    long nextSequence() {
        return ++lastSequence;
    }

    /** The last one that was drawn. */
    long lastSequence() {
        return lastSequence;
    }

    long size() {
        return Arrays.stream(shards).mapToLong(ShardRows::size).sum();
    }

    /** All rows, shard by shard. */
    Stream<Row> rows() {
        return Arrays.stream(shards).flatMap(ShardRows::rows);
    }

    ShardRows shard(int shard) {
        return shards[shard];
    }

    void add(Row row) {
        shards[row.shard].add(row);
        if (row.key != null) {
            byKey.computeIfAbsent(row.key, key -> new TreeMap<>()).put(row.sequence, row);
        }
        if (row.due() != null) {
            delayedById
                    .computeIfAbsent(row.event.id(), id -> new ArrayList<>(1))
                    .add(row);
        }
    }

    /** Removes a row, which may be gone already. */
    void remove(Row row) {
        shards[row.shard].remove(row);
        if (row.key != null) {
            TreeMap<Long, Row> rows = byKey.get(row.key);
            if (rows != null && rows.remove(row.sequence) != null && rows.isEmpty()) {
                byKey.remove(row.key);
            }
        }
        List<Row> delayed = row.due() == null ? null : delayedById.get(row.event.id());
        if (delayed != null && delayed.remove(row) && delayed.isEmpty()) {
            delayedById.remove(row.event.id());
        }
    }

    @Nullable
    Row find(int shard, long sequence) {
        return shards[shard].find(sequence);
    }

    List<Row> findDelayed(UUID id) {
        return delayedById.getOrDefault(id, List.of());
    }

    /** The first rows of a stretch, by sequence. */
    List<Row> firstOf(KeyCursor stretch, int limit) {
        TreeMap<Long, Row> rows = byKey.get(stretch.key());
        if (rows == null || stretch.from() > stretch.to()) {
            return List.of();
        }
        return rows.subMap(stretch.from(), true, stretch.to(), true).values().stream()
                .limit(limit)
                .toList();
    }

    /** Merges the due rows of several shards. */
    DuePage readDue(Set<Integer> of, DueCursor after, int limit, Instant now) {
        List<Entry> entries = new ArrayList<>();
        DueCursor next = after;
        PriorityQueue<Head> heads = heads(of, after);
        while (true) {
            Head head = heads.peek();
            if (head == null) {
                return new DuePage(entries, next, false, Optional.empty());
            }
            if (head.due.time().isAfter(now)) {
                return new DuePage(entries, next, false, Optional.of(Duration.between(now, head.due.time())));
            }
            if (entries.size() == limit) {
                return new DuePage(entries, next, true, Optional.of(Duration.ZERO));
            }
            heads.remove();
            entries.add(head.row.read(now));
            next = head.due;
            offer(heads, shards[head.row.shard].afterDue(next));
        }
    }

    private PriorityQueue<Head> heads(Set<Integer> of, DueCursor after) {
        PriorityQueue<Head> heads = new PriorityQueue<>(BY_DUE);
        for (int shard : of) {
            offer(heads, shards[shard].afterDue(after));
        }
        return heads;
    }

    private static void offer(PriorityQueue<Head> heads, @Nullable Row row) {
        DueCursor due = row == null ? null : row.due();
        if (row != null && due != null) {
            heads.add(new Head(row, due));
        }
    }

    private record Head(Row row, DueCursor due) {}
}
