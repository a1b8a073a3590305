package dev.waybill.server.ops;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.ops.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code waybill ops dead list}. */
@Command(
        name = "list",
        header = "List dead letters: what could not be delivered, and why.",
        description = {"", "Without --state: all but the discarded ones.", ""},
        abbreviateSynopsis = true,
        sortOptions = false)
final class DeadListCommand extends OperatorCommand {
    /** Payloads come along, so a page is not too big. */
    private static final int PAGE = 100;

    private static final int MOST = 10_000;

    @Mixin
    private final DeadFilterOptions filter = new DeadFilterOptions();

    @Option(names = "--limit", order = 20, paramLabel = "<n>", description = "Show so many (default 20).")
    int limit = 20;

    @Option(
            names = "--after",
            order = 21,
            paramLabel = "<seq>",
            description = "The next page: those with a higher sequence.")
    long after;

    DeadListCommand(Terminal terminal) {
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
        long all = desk.deadLetters().count(filter.filter());
        List<DeadLetter> shown = read(desk);
        if (shown.isEmpty()) {
            answer.good(
                    after > 0 ? "No more dead letters." : "No dead letters" + (filter.isEmpty() ? "." : " like that."));
        } else {
            answer.table(table(shown));
            answer.line("");
            long last = shown.get(shown.size() - 1).entry().sequence();
            answer.line(Words.number(shown.size()) + " of " + Words.count(all, "dead letter") + "."
                    + (shown.size() == limit && all > limit ? " Next page: the same with --after " + last : ""));
            answer.line("Next: waybill ops dead show <seq>, then dead redrive, dead edit or dead discard <seq>.");
        }
        answer.figures(new Figures()
                .with("count", all)
                .with(
                        "deadLetters",
                        shown.stream().map(DeadListCommand::figures).toList()));
        return OK;
    }

    private List<DeadLetter> read(Desk desk) {
        List<DeadLetter> all = new ArrayList<>();
        long position = after;
        while (all.size() < limit) {
            List<DeadLetter> page =
                    desk.deadLetters().list(filter.filter(), position, Math.min(PAGE, limit - all.size()));
            if (page.isEmpty()) {
                break;
            }
            all.addAll(page);
            position = page.get(page.size() - 1).entry().sequence();
        }
        return all;
    }

    private static Table table(List<DeadLetter> letters) {
        Table table = new Table(
                Column.number("SEQ"),
                Column.number("DIED"),
                Column.text("DESTINATION", 24),
                Column.text("KEY", 24),
                Column.text("TYPE", 24),
                Column.number("TRIED"),
                Column.text("STATE", 10),
                Column.text("REASON", 60));
        for (DeadLetter letter : letters) {
            table.row(
                    Long.toString(letter.entry().sequence()),
                    Words.ago(letter.diedAt()),
                    letter.entry().destination(),
                    key(letter),
                    letter.entry().event().type(),
                    Words.number(letter.entry().attempts()),
                    letter.state().name().toLowerCase(Locale.ROOT),
                    String.valueOf(letter.entry().lastError()));
        }
        return table;
    }

    private static String key(DeadLetter letter) {
        String key = letter.entry().event().key();
        return key == null ? "-" : key;
    }

    static Figures figures(DeadLetter letter) {
        return Entries.figures(letter.entry())
                .with("state", letter.state())
                .with("diedAt", letter.diedAt())
                .with("parksKey", letter.parksKey());
    }
}
