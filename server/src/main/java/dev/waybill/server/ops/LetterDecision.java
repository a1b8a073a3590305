package dev.waybill.server.ops;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.server.cli.FailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Carries one decision out for several dead letters, and tells what became of it. Used once. */
final class LetterDecision {
    private static final int PAGE = 100;

    private final Desk desk;
    private final Answer answer;
    private final String done;
    private final LongPredicate decision;
    private long changed;
    private long unchanged;
    private final List<Long> missing = new ArrayList<>();

    /** A decision that tells whether it changed something, and the word for having done it. */
    LetterDecision(Desk desk, Answer answer, String done, LongPredicate decision) {
        this.desk = desk;
        this.answer = answer;
        this.done = done;
        this.decision = decision;
    }

    /** Tells the exit code: failed if one of them never was a dead letter. */
    int each(List<Long> sequences) {
        sequences.stream().distinct().forEach(this::decide);
        figures();
        if (!missing.isEmpty()) {
            throw new FailedException("there is no dead letter "
                    + missing.stream().map(String::valueOf).collect(Collectors.joining(", "))
                    + "; waybill ops dead list shows which there are");
        }
        return OperatorCommand.OK;
    }

    private void decide(long sequence) {
        Optional<DeadLetter> before = desk.deadLetters().find(sequence);
        if (decision.test(sequence)) {
            changed++;
            answer.good("Dead letter " + sequence + " " + done + behind(before) + ".");
            return;
        }
        Optional<String> earlier = Decisions.aboutDeadLetter(desk, sequence).map(Decisions::words);
        if (before.isPresent() || earlier.isPresent()) {
            unchanged++;
            answer.line("Nothing to do for dead letter " + sequence
                    + earlier.map(words -> ": " + words).orElse("") + ".");
        } else {
            missing.add(sequence);
        }
    }

    private static String behind(Optional<DeadLetter> letter) {
        return letter.filter(DeadLetter::parksKey).isPresent() ? "; what waits behind it goes on, in order" : "";
    }

    /** In pages: there may be very many. */
    int all(DeadLetterFilter filter, long count) {
        long position = 0;
        List<DeadLetter> page = desk.deadLetters().list(filter, position, PAGE);
        while (!page.isEmpty()) {
            for (DeadLetter letter : page) {
                position = letter.entry().sequence();
                if (decision.test(position)) {
                    changed++;
                } else {
                    unchanged++;
                }
            }
            answer.progress(Words.number(changed + unchanged) + " of " + Words.number(count));
            page = desk.deadLetters().list(filter, position, PAGE);
        }
        answer.endProgress();
        answer.good(Words.count(changed, "dead letter") + " " + done + ".");
        if (unchanged > 0) {
            answer.line("For " + Words.number(unchanged) + " there was nothing to do any more.");
        }
        figures();
        return OperatorCommand.OK;
    }

    private void figures() {
        answer.figures(new Figures()
                .with("changed", changed)
                .with("unchanged", unchanged)
                .with("unknown", missing.size()));
    }
}
