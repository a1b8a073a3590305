package dev.waybill.server.ops;

import dev.waybill.server.cli.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code waybill ops}: what is stuck in an outbox, why, and the decisions about it. */
@Command(
        name = "ops",
        header = "Look into an outbox and decide: dead letters, parked keys, pauses, replays.",
        description = {
            "",
            "Every command needs to know the database. Say it once:",
            "  export WAYBILL_DATABASE=jdbc:postgresql://host/db WAYBILL_USER=... WAYBILL_PASSWORD=...",
            "Or give --database, --user, --password, --schema and --prefix each time. Decisions are written to the audit"
                    + " trail (--by, --why), take effect at once, and are safe to repeat."
        },
        synopsisSubcommandLabel = "<command>",
        commandListHeading = "",
        footerHeading = "%nAt three in the morning:%n",
        footer = {
            "  waybill ops status                          is all well, and if not, what next?",
            "  waybill ops dead list --since 1h            what died in the last hour, and why?",
            "  waybill ops dead show 4711                  look at one of them",
            "  waybill ops dead redrive 4711               the destination is mended: try it again",
            "  waybill ops dead redrive --all --reason timeout --yes --why \"mail server is back\"",
            "  waybill ops dead edit 4711 --payload fixed.json --redrive --why \"wrong currency\"",
            "  waybill ops dead list --prefix waybill_inbox_          what consumers of this database could not handle",
            "  waybill ops pause orders --why \"bad deployment\"      stop sending, lose nothing",
            "  waybill ops replay start --from 2h --to 1h --destination orders     send again; counts first",
            "",
            "Exit code: 0 done, or nothing to do; 1 it failed, or there is no such thing; 2 wrong usage."
        })
public final class OpsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    CommandSpec spec = CommandSpec.create();

    private OpsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The command with all of its subcommands. */
    public static CommandLine commandLine(Terminal terminal) {
        CommandLine ops = new CommandLine(new OpsCommand(terminal))
                .addSubcommand(new StatusCommand(terminal))
                .addSubcommand(new FindCommand(terminal))
                .addSubcommand(new AuditCommand(terminal))
                .addSubcommand(Group.of(
                        "dead",
                        "Dead letters: what could not be delivered or handled.",
                        terminal,
                        List.of(
                                new DeadListCommand(terminal),
                                new DeadShowCommand(terminal),
                                new DeadRedriveCommand(terminal),
                                new DeadEditCommand(terminal),
                                new DeadDiscardCommand(terminal))))
                .addSubcommand(Group.of(
                        "keys",
                        "Keys that do not go on, because of a dead letter or by decision.",
                        terminal,
                        List.of(
                                new KeysListCommand(terminal),
                                new KeyCommand.Release(terminal),
                                new KeyCommand.Skip(terminal),
                                new KeyCommand.Pause(terminal),
                                new KeyCommand.Resume(terminal))))
                .addSubcommand(new DestinationCommand.Pause(terminal))
                .addSubcommand(new DestinationCommand.Resume(terminal))
                .addSubcommand(new PausesCommand(terminal))
                .addSubcommand(new CancelCommand(terminal))
                .addSubcommand(Group.of(
                        "replay",
                        "Send again what was delivered before.",
                        terminal,
                        List.of(
                                new ReplayStartCommand(terminal),
                                new ReplayListCommand(terminal),
                                new ReplayCommand.Show(terminal),
                                new ReplayCommand.Pause(terminal),
                                new ReplayCommand.Resume(terminal),
                                new ReplayCommand.Cancel(terminal))));
        ops.getHelpSectionMap()
                .put(
                        CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
                        help -> Overview.of(help.commandSpec()));
        return ops;
    }

    /** Alone it explains itself. */
    @Override
    public Integer call() {
        spec.commandLine().usage(terminal.out());
        return OperatorCommand.OK;
    }
}
