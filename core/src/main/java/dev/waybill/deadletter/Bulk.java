package dev.waybill.deadletter;

import dev.waybill.audit.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * One decision about all dead letters that fit a filter. Immutable and thread-safe.
 *
 * <p>Each letter is decided about on its own, by sequence. Who else decides meanwhile is not in the way.
 */
public final class Bulk {
    private static final int PAGE = 100;

    private final DeadLetters letters;
    private final DeadLetterFilter filter;

    /**
     * What became of a decision.
     *
     * @param changed   letters that it was carried out for
     * @param unchanged letters that somebody else had decided about meanwhile
     * @param refused   letters that were replayed too often, by sequence
     */
    public record Outcome(long changed, long unchanged, List<Long> refused) {
        public Outcome {
            refused = List.copyOf(refused);
        }
    }

    public Bulk(DeadLetters letters, DeadLetterFilter filter) {
        this.letters = letters;
        this.filter = filter;
    }

    /** A dry run: how many letters a decision would be about now. */
    public long count() {
        return letters.count(filter);
    }

    public Outcome redrive(Signature signature) {
        return decide(sequence -> letters.redrive(sequence, signature));
    }

    public Outcome discard(Signature signature) {
        return decide(sequence -> letters.discard(sequence, signature));
    }

    private Outcome decide(LongPredicate decision) {
        long changed = 0;
        long unchanged = 0;
        List<Long> refused = new ArrayList<>();
        long position = Long.MIN_VALUE;
        List<DeadLetter> page = letters.list(filter, position, PAGE);
        while (!page.isEmpty()) {
            for (DeadLetter letter : page) {
                position = letter.entry().sequence();
                try {
                    if (decision.test(position)) {
                        changed++;
                    } else {
                        unchanged++;
                    }
                } catch (ReplayLimitException e) {
                    refused.add(position);
                }
            }
            page = letters.list(filter, position, PAGE);
        }
        return new Outcome(changed, unchanged, refused);
    }
}
