package dev.waybill.server.ops;

import dev.waybill.server.cli.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A word in front of commands that belong together; alone it explains them. */
final class Group {

    private Group() {}

    static CommandLine of(String name, String header, Terminal terminal, List<OperatorCommand> commands) {
        CommandLine[] self = new CommandLine[1];
        Callable<Integer> help = () -> {
            self[0].usage(terminal.out());
            return OperatorCommand.OK;
        };
        CommandSpec spec = CommandSpec.wrapWithoutInspection(help).name(name);
        spec.usageMessage()
                .header(header)
                .synopsisSubcommandLabel("<command>")
                .commandListHeading("%nCommands:%n")
                .footer("", "waybill ops " + name + " <command> --help tells more about one of them.");
        self[0] = new CommandLine(spec);
        commands.forEach(self[0]::addSubcommand);
        return self[0];
    }
}
