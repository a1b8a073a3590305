package dev.waybill.server.ops;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code waybill ops dead list}. */
@Command(
        name = "list",
        header = "List dead letters: what could not be delivered or handled, and why.",
        description = {
            "",
            "Without --state: those that something can still be done about, so the pending and the skipped ones.",
            ""
        },
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
            answer.table(LetterTable.of(shown));
            answer.line("");
            long last = shown.get(shown.size() - 1).entry().sequence();
            answer.line(Words.number(shown.size()) + " of " + Words.count(all, "dead letter") + "."
                    + (shown.size() == limit && all > limit ? " Next page: the same with --after " + last : ""));
            boolean open = shown.stream().anyMatch(letter -> letter.state().isOpen());
            answer.line("Next: waybill ops dead show <seq>"
                    + (open ? ", then dead redrive, dead edit or dead discard <seq>." : ""));
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

    static Figures figures(DeadLetter letter) {
        return Entries.figures(letter.entry())
                .with("state", letter.state())
                .with("diedAt", letter.diedAt())
                .with("replays", letter.replays())
                .with("consumer", letter.consumer())
                .with("publishedTo", letter.publishedTo())
                .with("sourceService", letter.sourceService())
                .with("sagaId", letter.sagaId())
                .with("correlationId", letter.correlationId())
                .with("parksKey", letter.parksKey());
    }
}
