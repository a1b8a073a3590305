package dev.waybill.server.ops;

import dev.waybill.deadletter.Correction;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
import dev.waybill.event.Payload;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.IoReasons;
import dev.waybill.server.cli.Printable;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waybill ops dead edit}. */
@Command(
        name = "edit",
        header = "Correct a dead letter, so that it can be redriven.",
        description = {
            "",
            "Id, destination and key stay: they say what it is, where it goes and what order it is part of. The original is"
                    + " kept in the audit trail.",
            ""
        },
        abbreviateSynopsis = true,
        sortOptions = false)
final class DeadEditCommand extends OperatorCommand {
    /** No store takes more; a wrong file name should not fill the memory. */
    private static final long LARGEST = 64L * 1024 * 1024;

    @Parameters(paramLabel = "<seq>", description = "Its sequence, the first column of dead list.")
    long sequence;

    @Option(names = "--payload", paramLabel = "<file>", description = "The new payload, byte for byte.")
    @Nullable
    Path payload;

    @Option(names = "--set-header", paramLabel = "<name>=<value>", description = "Set a header; repeat it for more.")
    List<String> set = new ArrayList<>();

    @Option(names = "--remove-header", paramLabel = "<name>", description = "Remove a header; repeat it for more.")
    List<String> remove = new ArrayList<>();

    @Option(names = "--content-type", paramLabel = "<type>", description = "The new media type of the payload.")
    @Nullable
    String contentType;

    @Option(names = "--type", paramLabel = "<type>", description = "The new event type.")
    @Nullable
    String type;

    @Option(names = "--version", paramLabel = "<n>", description = "The new version of the event type.")
    @Nullable
    Integer version;

    @Option(names = "--redrive", description = "Then try it again.")
    boolean redrive;

    @Mixin
    private final SignatureOptions signature = new SignatureOptions();

    @Mixin
    private final ReplayLimitOptions limit = new ReplayLimitOptions();

    DeadEditCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void check() {
        boolean headers = !set.isEmpty() || !remove.isEmpty();
        if (payload == null && !headers && contentType == null && type == null && version == null) {
            throw new UsageException("what is to change? Give --payload, --set-header, --remove-header, --content-type,"
                    + " --type or --version");
        }
        set.stream().filter(header -> header.indexOf('=') < 1).findFirst().ifPresent(header -> {
            throw new UsageException("--set-header " + header + " is not of the form <name>=<value>");
        });
        limit.check();
        signature.signature();
        if (payload != null) {
            read(payload);
        }
    }

    @Override
    JdbcStoreConfig settings(JdbcStoreConfig store) {
        return limit.on(store);
    }

    @Override
    int run(Desk desk, Answer answer) {
        DeadLetter letter =
                desk.deadLetters().find(sequence).orElseThrow(() -> DeadShowCommand.missing(desk, sequence));
        if (!letter.state().isOpen()) {
            throw new FailedException("dead letter " + sequence + " " + closed(letter.state()));
        }
        Event event = letter.entry().event();
        boolean edited = edit(desk, event);
        answer.line(
                edited
                        ? "Dead letter " + sequence + " corrected; the original is in the audit trail."
                        : "Nothing to do: dead letter " + sequence + " is like that already.");
        boolean redriven = redrive && desk.deadLetters().redrive(sequence, signature.signature());
        if (redrive) {
            answer.line(
                    redriven
                            ? "Dead letter " + sequence + " redriven. " + LetterDecision.outcome(sequence)
                            : "Nothing to do: it is on its way already.");
        } else {
            answer.line("Next: waybill ops dead redrive " + sequence);
        }
        answer.figures(new Figures().with("changed", edited).with("redriven", redriven));
        return OK;
    }

    private static String closed(DeadLetter.State state) {
        return switch (state) {
            case REPLAYING -> "is being tried again; if it fails, it can be edited then";
            case RESOLVED -> "was tried again and worked: there is nothing to correct";
            default -> "was discarded and cannot be edited any more";
        };
    }

    private boolean edit(Desk desk, Event event) {
        Payload bytes = payload == null ? null : read(payload);
        Correction correction = new Correction(type, version, bytes, contentType, headers(event));
        try {
            return !correction.of(event).equals(event)
                    && desk.deadLetters().edit(sequence, correction, signature.signature());
        } catch (InvalidEventException e) {
            throw new UsageException(Printable.of(String.valueOf(e.getMessage())), e);
        }
    }

    private @Nullable Map<String, String> headers(Event event) {
        if (set.isEmpty() && remove.isEmpty()) {
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        for (String name : remove) {
            if (headers.remove(name) == null) {
                throw new FailedException("dead letter " + sequence + " has no header " + name + "; it has "
                        + Printable.of(event.headers().keySet().toString()));
            }
        }
        for (String header : set) {
            int end = header.indexOf('=');
            headers.put(header.substring(0, end), header.substring(end + 1));
        }
        return headers;
    }

    private static Payload read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            if (Files.size(file) > LARGEST) {
                throw new UsageException("--payload " + file + " has " + Words.bytes(Files.size(file))
                        + "; that is more than an outbox takes");
            }
            // A device or a pipe does not know its size.
            byte[] bytes = in.readNBytes((int) LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new UsageException("--payload " + file + " has no end; it is more than an outbox takes");
            }
            return Payload.of(bytes);
        } catch (IOException e) {
            throw new UsageException("cannot read --payload " + file + ": " + IoReasons.of(e), e);
        }
    }
}
