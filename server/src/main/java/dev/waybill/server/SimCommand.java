package dev.waybill.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.waybill.server.cli.Terminal;
import dev.waybill.testkit.sim.SimulatorCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Hands all of its arguments to the testkit's simulator. */
@Command(name = "sim", header = "Run the deterministic simulator: many seeds, all faults, every promise checked.")
final class SimCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(arity = "0..*", hidden = true)
    private final List<String> arguments = new ArrayList<>();

    private SimCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    static CommandLine commandLine(Terminal terminal) {
        return new CommandLine(new SimCommand(terminal)).setUnmatchedOptionsArePositionalParams(true);
    }

    /** Without logging: what goes wrong in a simulated world is meant to, and the simulator has a trace of its own. */
    @Override
    public Integer call() {
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        Level before = root.getLevel();
        root.setLevel(Level.OFF);
        try {
            return SimulatorCommand.run(arguments.toArray(String[]::new), terminal.out());
        } finally {
            root.setLevel(before);
        }
    }
}
