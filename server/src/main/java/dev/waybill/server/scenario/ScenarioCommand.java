package dev.waybill.server.scenario;

import dev.waybill.server.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code waybill scenario}: stories of what goes wrong and how it is repaired. */
@Command(
        name = "scenario",
        header = "Walk through what goes wrong and how it is repaired, step by step and checked.",
        synopsisSubcommandLabel = "<scenario>",
        commandListHeading = "%nScenarios:%n",
        footer = {"", "waybill scenario <scenario> --help tells more about one of them."})
public final class ScenarioCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    CommandSpec spec = CommandSpec.create();

    private ScenarioCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The command with all of its scenarios. */
    public static CommandLine commandLine(Terminal terminal) {
        return new CommandLine(new ScenarioCommand(terminal)).addSubcommand(new DeadLetterCommand(terminal));
    }

    /** Alone it explains itself. */
    @Override
    public Integer call() {
        spec.commandLine().usage(terminal.out());
        return 0;
    }
}
