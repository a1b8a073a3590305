package dev.waybill.server.ops;

import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Table.Column;
import dev.waybill.server.cli.Terminal;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill ops status}. */
@Command(
        name = "status",
        header = "Is all well? What waits, for how long, and what needs a decision.",
        abbreviateSynopsis = true,
        sortOptions = false)
final class StatusCommand extends OperatorCommand {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Option(names = "--watch", description = "Look again every 2 seconds, until Ctrl-C.")
    boolean watch;

    StatusCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Desk desk, Answer answer) {
        show(desk, answer);
        while (watch && !isStopped()) {
            answer.clear();
            show(desk, answer);
        }
        return OK;
    }

    private void show(Desk desk, Answer answer) {
        Statistics statistics = desk.operations().statistics();
        List<String> problems = Health.problems(statistics);
        if (problems.isEmpty()) {
            answer.good("All well" + (statistics.pending() == 0 ? ": nothing is waiting." : "."));
        }
        problems.forEach(problem -> answer.warning(problem + "."));
        answer.line(Words.count(statistics.liveRelays(), "live relay") + ", "
                + (statistics.ownedShards() == Shards.COUNT ? "all " : statistics.ownedShards() + " of ")
                + Shards.COUNT + " shards owned" + (watch ? ", at " + Words.seconds(Instant.now()) : "") + ".");
        answer.line("");
        if (statistics.destinations().isEmpty()) {
            answer.line("There is nothing in the outbox, and nothing was delivered within the last minute.");
        } else {
            answer.table(table(statistics));
        }
        answer.figures(figures(statistics, problems));
    }

    private static Table table(Statistics statistics) {
        Table table = new Table(
                Column.text("DESTINATION", 40),
                Column.number("PENDING"),
                Column.number("DELAYED"),
                Column.number("FAILING"),
                Column.number("OLDEST"),
                Column.number("DELIVERED/MIN"),
                Column.number("DEAD"),
                Column.number("WAITING"),
                Column.number("PARKED KEYS"),
                Column.text("PAUSED", 6));
        statistics.destinations().forEach(one -> table.row(row(one, statistics.deliveredWithin())));
        if (statistics.destinations().size() > 1) {
            table.row(total(statistics));
        }
        return table;
    }

    private static String[] row(OfDestination one, Duration deliveredWithin) {
        return new String[] {
            one.destination(),
            Words.number(one.pending()),
            Words.number(one.delayed()),
            Words.number(one.failing()),
            one.oldestAge().map(Words::duration).orElse("-"),
            perMinute(one.delivered(), deliveredWithin),
            Words.number(one.dead()),
            Words.number(one.waiting()),
            Words.number(one.parkedKeys()),
            one.paused() ? "paused" : "-"
        };
    }

    private static String[] total(Statistics statistics) {
        return new String[] {
            "(all)",
            sum(statistics, OfDestination::pending),
            sum(statistics, OfDestination::delayed),
            sum(statistics, OfDestination::failing),
            statistics.oldestAge().map(Words::duration).orElse("-"),
            perMinute(
                    statistics.destinations().stream()
                            .mapToLong(OfDestination::delivered)
                            .sum(),
                    statistics.deliveredWithin()),
            sum(statistics, OfDestination::dead),
            sum(statistics, OfDestination::waiting),
            sum(statistics, OfDestination::parkedKeys),
            "-"
        };
    }

    private static String sum(Statistics statistics, ToLongFunction<OfDestination> figure) {
        return Words.number(statistics.destinations().stream().mapToLong(figure).sum());
    }

    /** Without a history nobody knows. */
    private static String perMinute(long delivered, Duration within) {
        return within.isZero() ? "?" : Words.number(delivered * MINUTE.toMillis() / Math.max(1, within.toMillis()));
    }

    private static Figures figures(Statistics statistics, List<String> problems) {
        return new Figures()
                .with("allWell", problems.isEmpty())
                .with("problems", problems)
                .with("liveRelays", statistics.liveRelays())
                .with("ownedShards", statistics.ownedShards())
                .with("shards", Shards.COUNT)
                .with("pending", statistics.pending())
                .with("dead", statistics.dead())
                .with("parkedKeys", statistics.parkedKeys())
                .with("oldestAgeSeconds", statistics.oldestAge())
                .with("deliveredWithinSeconds", statistics.deliveredWithin())
                .with(
                        "destinations",
                        statistics.destinations().stream()
                                .map(StatusCommand::figures)
                                .toList());
    }

    private static Figures figures(OfDestination one) {
        return new Figures()
                .with("destination", one.destination())
                .with("pending", one.pending())
                .with("delayed", one.delayed())
                .with("failing", one.failing())
                .with("oldestAgeSeconds", one.oldestAge())
                .with("delivered", one.delivered())
                .with("dead", one.dead())
                .with("waiting", one.waiting())
                .with("parkedKeys", one.parkedKeys())
                .with("paused", one.paused());
    }

    /** Ends the watching. From any thread. */
    void stop() {
        stopped.countDown();
    }

    private boolean isStopped() {
        try {
            return stopped.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
