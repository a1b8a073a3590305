package dev.waybill.server.ops;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.ReplayLimitException;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Carries one decision out for several dead letters, and tells what became of it. Used once. */
final class LetterDecision {
    private final Desk desk;
    private final Answer answer;
    private final String done;
    private final LongPredicate decision;
    private long changed;
    private long unchanged;
    private final List<Long> missing = new ArrayList<>();
    private final List<Long> refused = new ArrayList<>();
    private boolean hasOutcome;

    /** A decision that tells whether it changed something, and the word for having done it. */
    LetterDecision(Desk desk, Answer answer, String done, LongPredicate decision) {
        this.desk = desk;
        this.answer = answer;
        this.done = done;
        this.decision = decision;
    }

    /** What became of it is known later: says where to look. */
    LetterDecision withOutcome() {
        hasOutcome = true;
        return this;
    }

    static String outcome(long sequence) {
        return "Outcome: waybill ops dead show " + sequence;
    }

    /** Tells the exit code: failed if one of them never was a dead letter, or was refused. */
    int each(List<Long> sequences) {
        sequences.stream().distinct().forEach(this::decide);
        figures();
        if (!missing.isEmpty()) {
            throw new FailedException("there is no dead letter "
                    + missing.stream().map(String::valueOf).collect(Collectors.joining(", "))
                    + "; waybill ops dead list shows which there are");
        }
        if (!refused.isEmpty()) {
            throw new FailedException(ReplayLimitOptions.refused(refused));
        }
        return OperatorCommand.OK;
    }

    private void decide(long sequence) {
        Optional<DeadLetter> before = desk.deadLetters().find(sequence);
        try {
            if (decision.test(sequence)) {
                changed++;
                answer.good("Dead letter " + sequence + " " + done + behind(before) + ".");
                if (hasOutcome) {
                    answer.line(outcome(sequence));
                }
                return;
            }
        } catch (ReplayLimitException e) {
            refused.add(sequence);
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

    private void figures() {
        answer.figures(new Figures()
                .with("changed", changed)
                .with("unchanged", unchanged)
                .with("unknown", missing.size())
                .with("refused", refused));
    }
}
