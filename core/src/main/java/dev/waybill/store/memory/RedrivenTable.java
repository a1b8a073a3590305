package dev.waybill.store.memory;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.ReplayLimitException;
import dev.waybill.store.Entry;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters that somebody had tried again, as they were then; guarded by the store's lock.
 *
 * <p>What became of one is where its entry is now: dead again, still on its way, or gone because it has arrived.
 */
final class RedrivenTable {

    private static final class Redriven {
        DeadLetter letter;
        int replays;
        // When it was first seen to be gone.
        @Nullable
        Instant resolvedAt;

        Redriven(DeadLetter letter) {
            this.letter = letter;
        }
    }

    private final TreeMap<Long, Redriven> rows = new TreeMap<>();

    /** Counts one more replay. */
    void add(DeadLetter letter, int maxReplays) {
        long sequence = letter.entry().sequence();
        Redriven known = rows.get(sequence);
        int replays = known == null ? 0 : known.replays;
        if (replays >= maxReplays) {
            throw new ReplayLimitException(sequence, replays);
        }
        Redriven row = rows.computeIfAbsent(sequence, unknown -> new Redriven(letter));
        row.letter = letter;
        row.replays++;
    }

    void forget(long sequence) {
        rows.remove(sequence);
    }

    /** A dead letter with the number of its replays. */
    DeadLetter counted(DeadLetter letter) {
        Redriven row = rows.get(letter.entry().sequence());
        return row == null ? letter : with(letter, letter.state(), row.replays);
    }

    /** Those that are not dead again. */
    Stream<DeadLetter> all(Tables tables, long afterSequence) {
        return rows.tailMap(afterSequence, false).values().stream()
                .filter(row -> !isDead(row, tables))
                .map(row -> read(row, tables));
    }

    /** One that is not dead again. */
    Optional<DeadLetter> find(long sequence, Tables tables) {
        return Optional.ofNullable(rows.get(sequence)).map(row -> read(row, tables));
    }

    int removeResolved(Tables tables, Instant before, int limit) {
        int removed = 0;
        Iterator<Redriven> all = rows.values().iterator();
        while (all.hasNext() && removed < limit) {
            Redriven row = all.next();
            if (isDead(row, tables) || isOnItsWay(row, tables)) {
                continue;
            }
            if (row.resolvedAt == null) {
                row.resolvedAt = tables.now();
            } else if (row.resolvedAt.isBefore(before)) {
                all.remove();
                removed++;
            }
        }
        return removed;
    }

    private static DeadLetter read(Redriven row, Tables tables) {
        return with(row.letter, isOnItsWay(row, tables) ? State.REPLAYING : State.RESOLVED, row.replays);
    }

    private static boolean isDead(Redriven row, Tables tables) {
        return tables.graveyard.find(row.letter.entry().sequence()) != null;
    }

    private static boolean isOnItsWay(Redriven row, Tables tables) {
        Entry entry = row.letter.entry();
        return tables.outbox.find(entry.shard(), entry.sequence()) != null || tables.graveyard.isWaiting(entry);
    }

    private static DeadLetter with(DeadLetter letter, State state, int replays) {
        return new DeadLetter(letter.entry(), state, letter.diedAt(), state.isOpen() && letter.parksKey(), replays);
    }
}
