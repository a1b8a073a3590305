package dev.waybill.server.ops;

import dev.waybill.audit.AuditRecord;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Table;
import dev.waybill.server.cli.Table.Column;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill ops audit}. */
@Command(
        name = "audit",
        header = "Who decided what, when and why; the newest first.",
        abbreviateSynopsis = true,
        sortOptions = false)
final class AuditCommand extends OperatorCommand {
    private static final int MOST = 1000;

    @Option(names = "--limit", paramLabel = "<n>", description = "Show so many (default 20).")
    int limit = 20;

    @Option(names = "--before", paramLabel = "<number>", description = "The next page: those with a lower number.")
    long before = Long.MAX_VALUE;

    AuditCommand(Terminal terminal) {
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
        List<AuditRecord> records = desk.auditTrail().records(before, limit);
        if (records.isEmpty()) {
            answer.line(before == Long.MAX_VALUE ? "Nobody has decided anything yet." : "No more decisions.");
        } else {
            answer.table(table(records));
            if (records.size() == limit) {
                answer.line("");
                answer.line("Next page: waybill ops audit --before "
                        + records.get(records.size() - 1).number());
            }
        }
        answer.figures(new Figures()
                .with("records", records.stream().map(AuditCommand::figures).toList()));
        return OK;
    }

    private static Table table(List<AuditRecord> records) {
        Table table = new Table(
                Column.number("NO"),
                Column.text("AT", 20),
                Column.text("BY", 20),
                Column.text("DECISION", 14),
                Column.text("ABOUT", 48),
                Column.text("WHY", 60));
        for (AuditRecord one : records) {
            table.row(
                    Long.toString(one.number()),
                    Words.seconds(one.at()),
                    one.signature().who(),
                    Decisions.action(one),
                    one.subject(),
                    one.signature().why());
        }
        return table;
    }

    private static Figures figures(AuditRecord one) {
        return new Figures()
                .with("number", one.number())
                .with("at", one.at())
                .with("action", one.action())
                .with("subject", one.subject())
                .with("eventId", one.eventId())
                .with("by", one.signature().who())
                .with("why", one.signature().why());
    }
}
