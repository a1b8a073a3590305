package dev.waybill.chaos.journal;

import dev.waybill.chaos.journal.TransactionJournal.Outcome;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A transaction as its writer saw it.
 *
 * @param id          what the writer stored with it, unique among all writers
 * @param begun       nanoseconds of the machine's clock before the first insert
 * @param ended       nanoseconds after the last call returned or threw; {@link #NEVER} if the writer does not know
 *                    what became of it
 */
public record WrittenTransaction(long id, List<Intent> events, long begun, Outcome outcome, long ended) {
    public static final long NEVER = Long.MAX_VALUE;

    public WrittenTransaction {
        events = List.copyOf(events);
    }

    /** In the time of {@link dev.waybill.chaos.clock.SteadyClock}. */
    public long endedMillis() {
        return ended == NEVER ? NEVER : TimeUnit.NANOSECONDS.toMillis(ended);
    }

    /** The same, after the database was asked what became of it. */
    public WrittenTransaction withOutcome(Outcome found) {
        return new WrittenTransaction(id, events, begun, found, ended);
    }
}
