package dev.waybill.server.ops;

import dev.waybill.audit.Signature;
import dev.waybill.operations.Statistics.OfDestination;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Nearest;
import dev.waybill.server.cli.Printable;
import dev.waybill.server.cli.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A decision about a whole destination. */
abstract class DestinationCommand extends OperatorCommand {

    @Parameters(paramLabel = "<destination>", description = "The destination, as in status.")
    String destination = "";

    @Mixin
    private final SignatureOptions signature = new SignatureOptions();

    DestinationCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void check() {
        signature.signature();
    }

    @Override
    final int run(Desk desk, Answer answer) {
        boolean changed = decide(desk, signature.signature());
        String name = Printable.of(destination);
        if (changed) {
            answer.good(name + " " + done() + ".");
        } else {
            answer.line("Nothing to do: " + name + " " + already() + ".");
        }
        if (!changed || isHoldingBack()) {
            warnAboutStranger(desk, answer, name);
        }
        answer.figures(new Figures().with("changed", changed));
        return OK;
    }

    /** A misspelt destination would be paused, and the one that was meant go on. */
    private void warnAboutStranger(Desk desk, Answer answer, String name) {
        List<OfDestination> known = desk.operations().statistics().destinations();
        List<String> names = known.stream().map(OfDestination::destination).toList();
        boolean seen = known.stream()
                .anyMatch(one -> one.destination().equals(destination)
                        && one.pending() + one.delivered() + one.dead() + one.waiting() > 0);
        if (!seen) {
            answer.warning("Note: nothing is waiting for " + name + " and nothing was delivered to it lately"
                    + Nearest.to(
                                    destination,
                                    names.stream()
                                            .filter(one -> !one.equals(destination))
                                            .toList())
                            .map(nearest -> "; did you mean " + nearest + "?")
                            .orElse("."));
        }
    }

    abstract boolean decide(Desk desk, Signature by);

    abstract String done();

    abstract String already();

    abstract boolean isHoldingBack();

    /** {@code waybill ops pause}. */
    @Command(
            name = "pause",
            header = "Hold back a destination: nothing more is sent to it until resume.",
            abbreviateSynopsis = true,
            sortOptions = false)
    static final class Pause extends DestinationCommand {
        Pause(Terminal terminal) {
            super(terminal);
        }

        @Override
        boolean decide(Desk desk, Signature by) {
            return desk.operations().pauseDestination(destination, by);
        }

        @Override
        String done() {
            return "paused: what was sent is finished, and within a second or so nothing more is sent";
        }

        @Override
        String already() {
            return "is paused already";
        }

        @Override
        boolean isHoldingBack() {
            return true;
        }
    }

    /** {@code waybill ops resume}. */
    @Command(
            name = "resume",
            header = "Let a paused destination go on.",
            abbreviateSynopsis = true,
            sortOptions = false)
    static final class Resume extends DestinationCommand {
        Resume(Terminal terminal) {
            super(terminal);
        }

        @Override
        boolean decide(Desk desk, Signature by) {
            return desk.operations().resumeDestination(destination, by);
        }

        @Override
        String done() {
            return "goes on";
        }

        @Override
        String already() {
            return "is not paused";
        }

        @Override
        boolean isHoldingBack() {
            return false;
        }
    }
}
