package dev.waybill.benchmarks.scenario;

import dev.waybill.server.cli.Terminal;
import java.io.PrintStream;
import java.util.function.BooleanSupplier;

/** Says on standard error what is being measured: one line that is redrawn, or a line for each scenario. Not thread-safe. */
final class Progress {
    private static final String CLEAR = "\r\u001b[K";

    private final Terminal terminal;
    private final BooleanSupplier stopped;
    private String scenario = "";

    Progress(Terminal terminal, BooleanSupplier stopped) {
        this.terminal = terminal;
        this.stopped = stopped;
    }

    void scenario(String name, String first) {
        scenario = name;
        step(first);
    }

    /** A moment at which the run may be ended, too. */
    void step(String text) {
        if (stopped.getAsBoolean()) {
            throw new StoppedException();
        }
        PrintStream err = terminal.err();
        if (terminal.interactive()) {
            err.print(CLEAR + scenario + ": " + text);
            err.flush();
        } else {
            err.println(scenario + ": " + text);
        }
    }

    void round(int round, int rounds, String contender) {
        step((round == 0 ? "warming up" : "round " + round + " of " + rounds) + ", " + contender);
    }

    void end() {
        if (terminal.interactive()) {
            terminal.err().print(CLEAR);
            terminal.err().flush();
        }
    }
}
