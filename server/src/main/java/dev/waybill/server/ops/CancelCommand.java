package dev.waybill.server.ops;

import dev.waybill.audit.AuditRecord.Action;
import dev.waybill.operations.Located;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Terminal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code waybill ops cancel}. */
@Command(
        name = "cancel",
        header = "Cancel a delayed event that is not yet due; it is never delivered.",
        abbreviateSynopsis = true,
        sortOptions = false)
final class CancelCommand extends OperatorCommand {

    @Parameters(paramLabel = "<event id>", description = "The event's id.")
    UUID id = new UUID(0, 0);

    @Mixin
    private final SignatureOptions signature = new SignatureOptions();

    CancelCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void check() {
        signature.signature();
    }

    @Override
    int run(Desk desk, Answer answer) {
        boolean changed = desk.operations().cancel(id, signature.signature());
        if (changed) {
            answer.good("Event " + id + " cancelled; it is gone.");
        } else {
            answer.line("Nothing to do: " + earlier(desk) + ".");
        }
        answer.figures(new Figures().with("changed", changed));
        return OK;
    }

    private String earlier(Desk desk) {
        List<Located> found = desk.operations().find(id);
        if (!found.isEmpty()) {
            throw new FailedException("event " + id + " cannot be cancelled, it is " + NextStep.place(found.get(0))
                    + ". Only a delayed event that was never tried can be");
        }
        Optional<String> cancelled = Decisions.about(
                        desk, one -> one.action() == Action.CANCEL && id.equals(one.eventId()))
                .map(Decisions::words);
        return cancelled.orElseThrow(() -> new FailedException("there is no event " + id + " here"));
    }
}
