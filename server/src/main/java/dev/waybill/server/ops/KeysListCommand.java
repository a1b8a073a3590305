package dev.waybill.server.ops;

import dev.waybill.deadletter.Parked;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Table.Column;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill ops keys list}. */
@Command(
        name = "list",
        header = "List keys that do not go on: parked behind a dead letter, paused, or releasing.",
        abbreviateSynopsis = true,
        sortOptions = false)
final class KeysListCommand extends OperatorCommand {
    private static final int MOST = 10_000;

    @Option(
            names = "--limit",
            paramLabel = "<n>",
            description = "Show so many, the longest waiting first (default 20).")
    int limit = 20;

    KeysListCommand(Terminal terminal) {
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
        List<Parked> found = desk.deadLetters().parked(limit + 1);
        List<Parked> keys = found.subList(0, Math.min(limit, found.size()));
        if (keys.isEmpty()) {
            answer.good("No key is parked or paused.");
        } else {
            answer.table(table(keys));
            answer.line("");
            if (found.size() > limit) {
                answer.line("There are more: --limit " + limit * 10L);
            }
            answer.line(
                    "Next for a parked one: waybill ops dead show <dead letter>, then keys release <destination> <key> to"
                            + " try it again,");
            answer.line(
                    "keys skip to go on without it, or dead edit. For a paused one: keys resume <destination> <key>.");
        }
        answer.figures(new Figures()
                .with("keys", keys.stream().map(KeysListCommand::figures).toList()));
        return OK;
    }

    private static Table table(List<Parked> keys) {
        Table table = new Table(
                Column.text("DESTINATION", 30),
                Column.text("STATE", 10),
                Column.number("SINCE"),
                Column.number("WAITING"),
                Column.number("DEAD LETTER"),
                Column.whole("KEY"));
        for (Parked key : keys) {
            table.row(
                    key.parkedKey().key().destination(),
                    Keys.state(key),
                    Words.ago(key.since()),
                    Words.number(key.waiting()),
                    key.deadSequence().isPresent()
                            ? Long.toString(key.deadSequence().getAsLong())
                            : "-",
                    key.parkedKey().key().key());
        }
        return table;
    }

    private static Figures figures(Parked key) {
        return new Figures()
                .with("destination", key.parkedKey().key().destination())
                .with("key", key.parkedKey().key().key())
                .with("state", Keys.state(key))
                .with("since", key.since())
                .with("waiting", key.waiting())
                .with(
                        "deadLetter",
                        key.deadSequence().isPresent() ? key.deadSequence().getAsLong() : null);
    }
}
