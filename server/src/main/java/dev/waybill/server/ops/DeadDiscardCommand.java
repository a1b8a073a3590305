package dev.waybill.server.ops;

import dev.waybill.server.cli.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code waybill ops dead discard}. */
@Command(
        name = "discard",
        header = "Give dead letters up for good; what waits behind them goes on without them.",
        description = {
            "",
            "Needs --why. A discarded dead letter can be seen for some days, but not be brought back.",
            ""
        },
        abbreviateSynopsis = true,
        sortOptions = false)
final class DeadDiscardCommand extends OperatorCommand {

    @Parameters(paramLabel = "<seq>", arity = "1..*", description = "Sequences, the first column of dead list.")
    List<Long> sequences = new ArrayList<>();

    @Mixin
    private final SignatureOptions signature = new SignatureOptions();

    DeadDiscardCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void check() {
        signature.signatureWithReason();
    }

    @Override
    int run(Desk desk, Answer answer) {
        return new LetterDecision(
                        desk,
                        answer,
                        "discarded",
                        one -> desk.deadLetters().discard(one, signature.signatureWithReason()))
                .each(sequences);
    }
}
