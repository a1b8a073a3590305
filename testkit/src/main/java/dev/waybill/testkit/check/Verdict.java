package dev.waybill.testkit.check;

import java.util.ArrayList;
import java.util.List;

/**
 * What an {@link OrderChecker} found. Immutable.
 *
 * @param written    events whose transaction committed; also those of unknown outcome that arrived
 * @param rolledBack events whose transaction, or savepoint, was rolled back
 * @param cancelled  events that were cancelled before they were due
 * @param undecided  events whose transaction is still open or has an unknown outcome, and that did not arrive
 * @param delivered  events that arrived at least once and should have
 * @param duplicates further arrivals of those
 * @param pending    committed, not arrived, and known to the caller: still in the outbox, or a dead letter
 * @param lost       committed, not arrived, and nowhere to be found
 * @param ghosts     arrivals of what was rolled back, cancelled, never written, or not yet being committed
 * @param outOfOrder events that were overtaken by a later one of their key
 * @param examples   some of what is wrong, in words
 */
public record Verdict(
        long written,
        long rolledBack,
        long cancelled,
        long undecided,
        long delivered,
        long duplicates,
        long pending,
        long lost,
        long ghosts,
        long outOfOrder,
        List<String> examples) {

    public Verdict {
        examples = List.copyOf(examples);
    }

    /** Whether nothing was lost, made up or delivered out of order; duplicates are for the caller to judge. */
    public boolean holds() {
        return lost == 0 && ghosts == 0 && outOfOrder == 0;
    }

    @Override
    public String toString() {
        List<String> aside = new ArrayList<>();
        aside(aside, rolledBack, "rolled back");
        aside(aside, cancelled, "cancelled");
        aside(aside, undecided, "of unknown outcome");
        StringBuilder text = new StringBuilder();
        text.append(holds() ? "OK: " : "BROKEN: ").append(written).append(" written");
        if (!aside.isEmpty()) {
            text.append(" (besides ").append(String.join(", ", aside)).append(')');
        }
        text.append(", ")
                .append(delivered)
                .append(" delivered, ")
                .append(pending)
                .append(" pending; ");
        text.append(lost).append(" lost, ").append(ghosts).append(" ghosts, ");
        text.append(outOfOrder).append(" out of order, ").append(duplicates).append(" duplicates.");
        examples.forEach(example -> text.append(' ').append(example));
        return text.toString();
    }

    private static void aside(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(count + " " + what);
        }
    }
}
