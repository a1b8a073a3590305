package dev.waybill.server.ops;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.Bulk;
import dev.waybill.server.cli.FailedException;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.store.jdbc.JdbcStoreConfig;
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

    @Mixin
    private final ReplayLimitOptions limit = new ReplayLimitOptions();

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
        limit.check();
        signature();
    }

    @Override
    JdbcStoreConfig settings(JdbcStoreConfig store) {
        return limit.on(store);
    }

    private Signature signature() {
        return all && yes ? signature.signatureWithReason() : signature.signature();
    }

    @Override
    int run(Desk desk, Answer answer) {
        return all
                ? redriveAll(desk, answer)
                : new LetterDecision(
                                desk,
                                answer,
                                "redriven",
                                one -> desk.deadLetters().redrive(one, signature()))
                        .withOutcome()
                        .each(sequences);
    }

    private int redriveAll(Desk desk, Answer answer) {
        Bulk bulk = new Bulk(desk.deadLetters(), filter.undecided());
        long count = bulk.count();
        if (count > 0 && yes) {
            return carryOut(bulk, count, answer);
        }
        answer.line(
                count == 0
                        ? "Nothing to do: no dead letters like that."
                        : "Would redrive " + Words.count(count, "dead letter")
                                + ". Nothing was done; add --yes --why \"<text>\" to do it.");
        answer.figures(new Figures().with("count", count).with("changed", 0L));
        return OK;
    }

    private int carryOut(Bulk bulk, long count, Answer answer) {
        answer.progress("Redriving " + Words.count(count, "dead letter") + " ...");
        Bulk.Outcome outcome = bulk.redrive(signature());
        answer.endProgress();
        answer.good(Words.count(outcome.changed(), "dead letter") + " redriven.");
        if (outcome.unchanged() > 0) {
            answer.line("For " + Words.number(outcome.unchanged()) + " there was nothing to do any more.");
        }
        if (outcome.changed() > 0) {
            answer.line(
                    "Outcome: waybill ops dead list --state replaying, then resolved; what fails again is in dead list.");
        }
        answer.figures(new Figures()
                .with("changed", outcome.changed())
                .with("unchanged", outcome.unchanged())
                .with("refused", outcome.refused()));
        if (!outcome.refused().isEmpty()) {
            throw new FailedException(ReplayLimitOptions.refused(outcome.refused()));
        }
        return OK;
    }
}
