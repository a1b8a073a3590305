package dev.waybill.server.ops;

import dev.waybill.audit.Signature;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waybill ops dead redrive}. */
@Command(
        name = "redrive",
        header = "Try dead letters again, and after each what waits behind it.",
        description = {
            "",
            "Some by their sequence, or with --all every one that fits the filters and that nobody has decided about"
                    + " (--state skipped: those that were skipped). --all only counts, unless --yes is given.",
            ""
        },
        abbreviateSynopsis = true,
        sortOptions = false)
final class DeadRedriveCommand extends OperatorCommand {

    @Parameters(paramLabel = "<seq>", arity = "0..*", description = "Sequences, the first column of dead list.")
    List<Long> sequences = new ArrayList<>();

    @Option(names = "--all", description = "All that fit the filters.")
    boolean all;

    @Option(names = "--yes", description = "Do it.")
    boolean yes;

    @Mixin
    private final DeadFilterOptions filter = new DeadFilterOptions();

    @Mixin
    private final SignatureOptions signature = new SignatureOptions();

    DeadRedriveCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void check() {
        if (sequences.isEmpty() && !all) {
            throw new UsageException("which ones? Give their sequences, or --all with filters");
        }
        if (!sequences.isEmpty() && (all || !filter.isEmpty())) {
            throw new UsageException("give either sequences, or --all with filters");
        }
        signature();
    }

    private Signature signature() {
        return all && yes ? signature.signatureWithReason() : signature.signature();
    }

    @Override
    int run(Desk desk, Answer answer) {
        LetterDecision redrive = new LetterDecision(
                desk, answer, "redriven", one -> desk.deadLetters().redrive(one, signature()));
        return all ? redriveAll(desk, answer, redrive) : redrive.each(sequences);
    }

    private int redriveAll(Desk desk, Answer answer, LetterDecision redrive) {
        long count = desk.deadLetters().count(filter.undecided());
        if (count > 0 && yes) {
            return redrive.all(filter.undecided(), count);
        }
        answer.line(
                count == 0
                        ? "Nothing to do: no dead letters like that."
                        : "Would redrive " + Words.count(count, "dead letter")
                                + ". Nothing was done; add --yes --why \"<text>\" to do it.");
        answer.figures(new Figures().with("count", count).with("changed", 0L));
        return OK;
    }
}
