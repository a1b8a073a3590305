package dev.waybill.server.ops;

import dev.waybill.operations.Pause;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Table.Column;
import dev.waybill.server.cli.Terminal;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code waybill ops pauses}. */
@Command(
        name = "pauses",
        header = "List what is held back by decision, by whom and why.",
        abbreviateSynopsis = true,
        sortOptions = false)
final class PausesCommand extends OperatorCommand {

    PausesCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Desk desk, Answer answer) {
        List<Pause> pauses = desk.operations().pauses();
        if (pauses.isEmpty()) {
            answer.good("Nothing is paused.");
        } else {
            answer.table(table(pauses));
            answer.line("");
            answer.line("Next: waybill ops resume <destination>, or waybill ops keys resume <destination> <key>.");
        }
        answer.figures(new Figures()
                .with("pauses", pauses.stream().map(PausesCommand::figures).toList()));
        return OK;
    }

    private static Table table(List<Pause> pauses) {
        Table table = new Table(
                Column.text("DESTINATION", 40),
                Column.text("KEY", 40),
                Column.number("SINCE"),
                Column.text("BY", 24),
                Column.whole("WHY"));
        for (Pause pause : pauses) {
            table.row(
                    pause.destination(),
                    pause.key() == null ? "(all)" : pause.key(),
                    Words.ago(pause.since()),
                    pause.signature().who(),
                    pause.signature().why());
        }
        return table;
    }

    private static Figures figures(Pause pause) {
        return new Figures()
                .with("destination", pause.destination())
                .with("key", pause.key())
                .with("since", pause.since())
                .with("by", pause.signature().who())
                .with("why", pause.signature().why());
    }
}
