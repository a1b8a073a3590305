package dev.waybill.server.ops;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.event.Event;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.IoReasons;
import dev.waybill.server.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waybill ops dead show}. */
@Command(
        name = "show",
        header = "Show one dead letter: all fields, headers and the payload.",
        abbreviateSynopsis = true,
        sortOptions = false)
final class DeadShowCommand extends OperatorCommand {

    @Parameters(paramLabel = "<seq>", description = "Its sequence, the first column of dead list.")
    long sequence;

    @Option(names = "--payload", paramLabel = "<file>", description = "Write the payload to a file, byte for byte.")
    @Nullable
    Path payload;

    DeadShowCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Desk desk, Answer answer) {
        DeadLetter letter = desk.deadLetters().find(sequence).orElseThrow(() -> missing(desk, sequence));
        Event event = letter.entry().event();
        answer.line("Dead letter " + sequence + " (" + state(letter) + ")");
        answer.field("id", event.id().toString());
        answer.field("died", Words.moment(letter.diedAt()));
        showOrigin(letter, answer);
        Map<String, String> fields = Entries.fields(letter.entry(), "reason");
        fields.remove("destination");
        fields.remove("reason");
        fields.forEach(answer::field);
        if (letter.replays() > 0) {
            answer.field("replays", Words.number(letter.replays()));
        }
        answer.fieldLines("reason", String.valueOf(letter.entry().lastError()));
        answer.field("behind it", parks(letter));
        answer.field("content type", event.contentType());
        answer.field(
                "headers",
                event.headers().isEmpty()
                        ? "(none)"
                        : Words.count(event.headers().size(), "header"));
        event.headers().forEach((name, value) -> answer.field("", name + ": " + value));
        answer.field("payload", Words.bytes(event.payload().size()));
        if (payload == null) {
            PayloadView.lines(event.payload(), answer.ellipsis()).forEach(line -> answer.line("    " + line));
        } else {
            save(payload, event);
            answer.field("", "written to " + payload);
        }
        answer.line("");
        answer.line(next(letter));
        answer.figures(figures(letter));
        return OK;
    }

    private static void showOrigin(DeadLetter letter, Answer answer) {
        letter.consumer().ifPresent(name -> answer.field("consumer", name));
        answer.field(letter.consumer().isPresent() ? "published to" : "destination", letter.publishedTo());
        letter.sourceService().ifPresent(name -> answer.field("published by", name));
        letter.sagaId().ifPresent(id -> answer.field("saga", id));
        letter.correlationId().ifPresent(id -> answer.field("correlation", id));
    }

    /** A letter that is gone was decided about, or was never there. */
    static FailedException missing(Desk desk, long sequence) {
        Optional<String> decision = Decisions.aboutDeadLetter(desk, sequence).map(Decisions::words);
        return new FailedException("there is no dead letter " + sequence
                + decision.map(words -> " any more: " + words).orElse("; waybill ops dead list shows which there are"));
    }

    private static String state(DeadLetter letter) {
        return switch (letter.state()) {
            case PENDING -> "nobody has decided";
            case SKIPPED -> "its key went on without it";
            case REPLAYING -> "it is being tried again; its outcome is not known yet";
            case RESOLVED -> "it was tried again and worked; it is removed after some days";
            case DISCARDED -> "discarded; it is removed after some days";
        };
    }

    private static String parks(DeadLetter letter) {
        if (letter.entry().event().key() == null) {
            return "nothing: an event without a key holds nobody up";
        }
        return letter.parksKey() ? "later events of the key wait for a decision" : "nothing: its key is not parked";
    }

    private static String next(DeadLetter letter) {
        long sequence = letter.entry().sequence();
        return switch (letter.state()) {
            case PENDING, SKIPPED ->
                "Next: waybill ops dead redrive " + sequence + " | dead edit " + sequence + " --help | dead discard "
                        + sequence + " --why <text>";
            case REPLAYING -> "Look again in a moment: it will be resolved, or pending again with a new reason.";
            case RESOLVED, DISCARDED -> "Nothing more can be done about it.";
        };
    }

    private static void save(Path file, Event event) {
        try {
            Files.write(file, event.payload().bytes());
        } catch (IOException e) {
            throw new FailedException("cannot write --payload " + file + ": " + IoReasons.of(e));
        }
    }

    private static Figures figures(DeadLetter letter) {
        Event event = letter.entry().event();
        Optional<String> text = PayloadView.text(event.payload());
        return DeadListCommand.figures(letter)
                .with("headers", event.headers())
                .with("payloadText", text)
                .with(
                        "payloadBase64",
                        text.isPresent()
                                ? null
                                : Base64.getEncoder()
                                        .encodeToString(event.payload().bytes()));
    }
}
