package dev.waybill.server;

import dev.waybill.server.cli.CommandLines;
import dev.waybill.server.cli.CommandProvider;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.ops.OpsCommand;
import dev.waybill.server.relay.RelayCommand;
import dev.waybill.server.scenario.ScenarioCommand;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the {@code waybill} command. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(Terminal.system(), args));
    }

    /**
     * Runs a command in this JVM.
     *
     * @return the exit code: 0 all is well, 1 the command failed or found a promise broken, 2 it was called wrongly
     */
    public static int run(Terminal terminal, String... args) {
        return commandLine(terminal).execute(args.length == 0 ? new String[] {"--help"} : args);
    }

    /** The command with all of its subcommands. */
    static CommandLine commandLine(Terminal terminal) {
        CommandLine waybill = new CommandLine(new Waybill());
        ServiceLoader.load(CommandProvider.class)
                .forEach(provider -> waybill.addSubcommand(provider.command(terminal)));
        waybill.addSubcommand(ScenarioCommand.commandLine(terminal))
                .addSubcommand(SimCommand.commandLine(terminal))
                .addSubcommand(new RelayCommand(terminal))
                .addSubcommand(OpsCommand.commandLine(terminal));
        return CommandLines.prepare(waybill, terminal);
    }

    @Command(
            name = "waybill",
            header = "A transactional outbox: an event is a row until it has arrived.",
            synopsisSubcommandLabel = "<command>",
            commandListHeading = "%nCommands:%n",
            footer = {
                "",
                "waybill <command> --help tells more about one of them. In the sources there are also waybill bench, which"
                        + " measures it beside raw JDBC and its peers, waybill fuzz, and waybill chaos, which breaks everything"
                        + " around it."
            })
    private static final class Waybill {}
}
