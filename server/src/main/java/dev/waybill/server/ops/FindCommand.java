package dev.waybill.server.ops;

import dev.waybill.operations.Located;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Terminal;
import dev.waybill.store.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code waybill ops find}. */
@Command(
        name = "find",
        header = "Where is an event? Pending, retrying, dead, delivered, and what to do next.",
        abbreviateSynopsis = true,
        sortOptions = false)
final class FindCommand extends OperatorCommand {

    @Parameters(paramLabel = "<event id>", description = "The id that publish returned; consumers get it as a header.")
    UUID id = new UUID(0, 0);

    FindCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Desk desk, Answer answer) {
        List<Located> found = desk.operations().find(id);
        if (found.isEmpty()) {
            throw new FailedException("there is no event " + id + " here. Its transaction was rolled back, it was"
                    + " cancelled, or it was delivered longer ago than the history is kept"
                    + decision(desk).map(text -> ". Last decision: " + text).orElse(""));
        }
        for (Located located : found) {
            show(answer, located);
        }
        answer.figures(new Figures()
                .with("id", id)
                .with("found", found.stream().map(FindCommand::figures).toList()));
        return OK;
    }

    private Optional<String> decision(Desk desk) {
        return Decisions.about(desk, one -> id.equals(one.eventId())).map(Decisions::words);
    }

    private static void show(Answer answer, Located located) {
        Entry entry = located.entry();
        String since = located.since() == null ? "" : ", since " + Words.moment(located.since());
        answer.line(entry.event().id() + " is " + NextStep.place(located) + since);
        Entries.fields(entry, "last error").forEach(answer::field);
        if (located.owner() != null) {
            answer.field("relay", located.owner().toString());
        }
        if (!entry.isDue()) {
            answer.field("due", Words.moment(Instant.now().plus(entry.dueIn())));
        }
        answer.field("next", NextStep.of(located));
    }

    private static Figures figures(Located located) {
        return Entries.figures(located.entry())
                .with("place", located.place())
                .with("since", located.since())
                .with("owner", located.owner());
    }
}
