package dev.waybill.server.ops;

import dev.waybill.audit.Signature;
import dev.waybill.replay.Replay;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Something about one replay. */
abstract class ReplayCommand extends OperatorCommand {

    @Parameters(paramLabel = "<n>", description = "Its number, the first column of replay list.")
    int generation;

    ReplayCommand(Terminal terminal) {
        super(terminal);
    }

    Replay find(Desk desk) {
        return desk.replays()
                .find(generation)
                .orElseThrow(() -> new FailedException(
                        "there is no replay " + generation + "; waybill ops replay list shows which there are"));
    }

    /** {@code waybill ops replay show}. */
    @Command(name = "show", header = "Show how far a replay has come.", abbreviateSynopsis = true, sortOptions = false)
    static final class Show extends ReplayCommand {
        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        int run(Desk desk, Answer answer) {
            Replay replay = find(desk);
            answer.line(Words.sentence(Replayed.words(replay)));
            answer.field("from", Words.moment(replay.filter().from()));
            answer.field("to", Words.moment(replay.filter().to()));
            answer.field("which", Replayed.conditions(replay.filter()));
            answer.field("rate", Words.number(replay.perSecond()) + "/s at most");
            answer.field("started", Words.moment(replay.startedAt()));
            if (replay.position() != null) {
                answer.field("looked at", "deliveries up to " + Words.moment(replay.position()));
            }
            if (replay.endedAt() != null) {
                answer.field("ended", Words.moment(replay.endedAt()));
            }
            answer.figures(Replayed.figures(replay));
            return OK;
        }
    }

    /** A decision about one replay. */
    abstract static class Deciding extends ReplayCommand {
        @Mixin
        private final SignatureOptions signature = new SignatureOptions();

        Deciding(Terminal terminal) {
            super(terminal);
        }

        @Override
        void check() {
            signature.signature();
        }

        @Override
        final int run(Desk desk, Answer answer) {
            find(desk);
            boolean changed = decide(desk, signature.signature());
            Replay now = find(desk);
            answer.line(Words.sentence((changed ? "" : "nothing to do: ") + Replayed.words(now)));
            answer.figures(Replayed.figures(now).with("changed", changed));
            return OK;
        }

        abstract boolean decide(Desk desk, Signature by);
    }

    /** {@code waybill ops replay pause}. */
    @Command(
            name = "pause",
            header = "Stop a running replay for a while.",
            abbreviateSynopsis = true,
            sortOptions = false)
    static final class Pause extends Deciding {
        Pause(Terminal terminal) {
            super(terminal);
        }

        @Override
        boolean decide(Desk desk, Signature by) {
            return desk.replays().pause(generation, by);
        }
    }

    /** {@code waybill ops replay resume}. */
    @Command(name = "resume", header = "Let a paused replay go on.", abbreviateSynopsis = true, sortOptions = false)
    static final class Resume extends Deciding {
        Resume(Terminal terminal) {
            super(terminal);
        }

        @Override
        boolean decide(Desk desk, Signature by) {
            return desk.replays().resume(generation, by);
        }
    }

    /** {@code waybill ops replay cancel}. */
    @Command(
            name = "cancel",
            header = "End a replay; what it put into the outbox is still delivered.",
            abbreviateSynopsis = true,
            sortOptions = false)
    static final class Cancel extends Deciding {
        Cancel(Terminal terminal) {
            super(terminal);
        }

        @Override
        boolean decide(Desk desk, Signature by) {
            return desk.replays().cancel(generation, by);
        }
    }
}
