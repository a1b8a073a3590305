package dev.waybill.spring.actuate;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.Bulk;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import java.util.List;

/** What can be decided through the endpoint, if that is allowed. Thread-safe. */
final class Decisions {

    /**
     * What became of a decision.
     *
     * @param changed   how many things it changed; 0: there was nothing to decide any more
     * @param unchanged dead letters that somebody else had decided about
     * @param refused   dead letters that were tried again too often, by sequence
     */
    record Outcome(long changed, long unchanged, List<Long> refused) {

        static Outcome of(boolean changed) {
            return new Outcome(changed ? 1 : 0, changed ? 0 : 1, List.of());
        }
    }

    private Decisions() {}

    static Outcome letter(WatchedOutbox outbox, long sequence, String action, Signature signature) {
        DeadLetters letters = outbox.deadLetters();
        if (letters.find(sequence).isEmpty()) {
            throw new RefusedException(404, "There is no dead letter " + sequence + " in " + outbox.name() + ".");
        }
        Outcome outcome = Outcome.of(
                switch (action) {
                    case "redrive" -> letters.redrive(sequence, signature);
                    case "discard" -> letters.discard(sequence, signature);
                    default -> throw unknown(action, "redrive or discard");
                });
        outbox.wakeUp();
        return outcome;
    }

    static Outcome letters(WatchedOutbox outbox, DeadLetterFilter filter, String action, Signature signature) {
        if (filter.destination() == null) {
            throw new RefusedException(
                    400, "A decision about several dead letters needs a destination (in a siding: a consumer).");
        }
        Bulk bulk = new Bulk(outbox.deadLetters(), filter);
        Bulk.Outcome outcome = switch (action) {
            case "redrive" -> bulk.redrive(signature);
            case "discard" -> bulk.discard(signature);
            default -> throw unknown(action, "redrive or discard");
        };
        outbox.wakeUp();
        return new Outcome(outcome.changed(), outcome.unchanged(), outcome.refused());
    }

    static Outcome destination(WatchedOutbox outbox, String destination, String action, Signature signature) {
        return Outcome.of(
                switch (action) {
                    case "pause" -> outbox.operations().pauseDestination(destination, signature);
                    case "resume" -> outbox.operations().resumeDestination(destination, signature);
                    default -> throw unknown(action, "pause or resume");
                });
    }

    private static RefusedException unknown(String action, String known) {
        return new RefusedException(400, "The action is " + known + ", found \"" + action + "\".");
    }
}
