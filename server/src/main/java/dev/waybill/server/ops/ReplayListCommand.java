package dev.waybill.server.ops;

import dev.waybill.replay.Replay;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Table.Column;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill ops replay list}. */
@Command(name = "list", header = "List replays, the newest first.", abbreviateSynopsis = true, sortOptions = false)
final class ReplayListCommand extends OperatorCommand {
    private static final int MOST = 1000;

    @Option(names = "--limit", paramLabel = "<n>", description = "Show so many (default 20).")
    int limit = 20;

    ReplayListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void check() {
        if (limit < 1 || limit > MOST) {
            throw new UsageException("--limit is " + limit + "; it must be from 1 to " + Words.number(MOST));
        }
    }

    @Override
    int run(Desk desk, Answer answer) {
        List<Replay> replays = desk.replays().list(limit);
        if (replays.isEmpty()) {
            answer.line("There was no replay yet. Start one: waybill ops replay start --help");
        } else {
            answer.table(table(replays));
        }
        answer.figures(new Figures()
                .with("replays", replays.stream().map(Replayed::figures).toList()));
        return OK;
    }

    private static Table table(List<Replay> replays) {
        Table table = new Table(
                Column.number("REPLAY"),
                Column.text("STATE", 10),
                Column.number("EVENTS"),
                Column.number("RATE"),
                Column.number("STARTED"),
                Column.text("FROM", 20),
                Column.text("TO", 20),
                Column.text("WHICH", 60));
        for (Replay replay : replays) {
            table.row(
                    Integer.toString(replay.generation()),
                    Replayed.state(replay),
                    Words.number(replay.replayed()),
                    Words.number(replay.perSecond()) + "/s",
                    Words.ago(replay.startedAt()),
                    Words.seconds(replay.filter().from()),
                    Words.seconds(replay.filter().to()),
                    Replayed.conditions(replay.filter()));
        }
        return table;
    }
}
