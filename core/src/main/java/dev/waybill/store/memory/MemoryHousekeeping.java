package dev.waybill.store.memory;

import dev.waybill.store.Housekeeping;
import java.time.Duration;
import java.time.Instant;

/** Replays and cleaning, in steps under the store's lock. Thread-safe. */
final class MemoryHousekeeping implements Housekeeping {
    private static final int PORTION = 1_000;
    private static final Duration DECIDED_STAY = Duration.ofDays(7);

    private final Tables tables;

    MemoryHousekeeping(Tables tables) {
        this.tables = tables;
    }

    @Override
    public int advanceReplays() {
        synchronized (tables.lock) {
            Instant now = tables.now();
            int copied = 0;
            for (ReplayRun run : tables.replays.unfinished()) {
                copied += run.isRunning() ? run.advance(tables.history, tables.outbox, now) : 0;
            }
            tables.replays.sortOut();
            return copied;
        }
    }

    @Override
    public boolean hasRunningReplays() {
        synchronized (tables.lock) {
            return tables.replays.unfinished().stream().anyMatch(ReplayRun::isRunning);
        }
    }

    @Override
    public int clean() {
        synchronized (tables.lock) {
            Instant now = tables.now();
            Instant end = now.minus(tables.retention);
            for (ReplayRun run : tables.replays.unfinished()) {
                end = run.neededFrom().isBefore(end) ? run.neededFrom() : end;
            }
            Instant decided = now.minus(DECIDED_STAY);
            int removed = tables.history.removeBefore(end, PORTION);
            removed += tables.graveyard.removeDiscarded(decided, PORTION - removed, tables.redriven::forget);
            removed += tables.redriven.removeResolved(tables, decided, PORTION - removed);
            return removed + tables.inbox.removeBefore(now.minus(tables.inboxRetention), PORTION - removed);
        }
    }
}
