package dev.waybill.server.ops;

import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code waybill ops replay start}. */
@Command(
        name = "start",
        header = "Send again what was delivered in a span of time; counts first, starts with --yes.",
        description = {
            "",
            "Consumers get the same events with the same ids once more, marked with the number of the replay. The relays"
                    + " carry it on, also when this command has ended.",
            ""
        },
        abbreviateSynopsis = true,
        sortOptions = false)
final class ReplayStartCommand extends OperatorCommand {
    private static final int MOST = 1_000_000;

    @Option(
            names = "--from",
            order = 1,
            paramLabel = "<time>",
            required = true,
            description = "Delivered at this time or later: 2h (ago), 2026-11-16T08:30, 2026-11-16T08:30:00Z.")
    Instant from = Instant.EPOCH;

    @Option(names = "--to", order = 2, paramLabel = "<time>", description = "Delivered before this time (default now).")
    @Nullable
    Instant to;

    @Option(names = "--destination", order = 3, paramLabel = "<name>", description = "Only of this destination.")
    @Nullable
    String destination;

    @Option(names = "--key", order = 4, paramLabel = "<key>", description = "Only of this key.")
    @Nullable
    String key;

    @Option(names = "--type", order = 5, paramLabel = "<type>", description = "Only of this event type.")
    @Nullable
    String type;

    @Option(names = "--rate", order = 6, paramLabel = "<n>", description = "At most so many a second (default 500).")
    int rate = 500;

    @Option(names = "--yes", order = 7, description = "Start it; needs --why.")
    boolean yes;

    @Option(names = "--detach", order = 8, description = "Do not wait until it is done.")
    boolean detach;

    @Mixin
    private final SignatureOptions signature = new SignatureOptions();

    ReplayStartCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void check() {
        if (rate < 1 || rate > MOST) {
            throw new UsageException("--rate is " + rate + "; it must be from 1 to " + Words.number(MOST));
        }
        filter();
        if (yes) {
            signature.signatureWithReason();
        }
    }

    @Override
    int run(Desk desk, Answer answer) {
        ReplayFilter filter = filter();
        long count = desk.replays().count(filter);
        if (count == 0) {
            answer.line("Nothing to do: the history has no such delivery between " + Words.seconds(filter.from())
                    + " and " + Words.seconds(filter.to()) + ".");
            answer.figures(new Figures().with("count", count));
            return OK;
        }
        if (!yes) {
            answer.line("Would send " + Words.count(count, "event") + " again, at " + Words.number(rate) + "/s in "
                    + Words.duration(Duration.ofSeconds((count + rate - 1) / rate)) + " or more.");
            answer.line("Nothing was done; add --yes --why \"<text>\" to start it.");
            answer.figures(new Figures().with("count", count));
            return OK;
        }
        Replay replay = desk.replays().start(UUID.randomUUID(), filter, rate, signature.signatureWithReason());
        answer.good("Replay " + replay.generation() + " started: " + Words.count(count, "event") + " at "
                + Words.number(rate) + "/s.");
        return detach ? detached(answer, replay, count) : new ReplayWatch(desk, answer).follow(replay, count);
    }

    private int detached(Answer answer, Replay replay, long count) {
        answer.line("Next: waybill ops replay show " + replay.generation());
        answer.figures(Replayed.figures(replay).with("count", count));
        return OK;
    }

    private ReplayFilter filter() {
        try {
            return new ReplayFilter(from, to == null ? Instant.now() : to, destination, key, type);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }
}
