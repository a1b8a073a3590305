package dev.waybill.benchmarks.scenario;

import dev.waybill.server.cli.Terminal;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Says on standard error what is being measured, and since when: one line that is redrawn, or a line for each step. Not thread-safe. */
final class Progress {
    private static final String CLEAR = "\r\u001b[K";

    private final Terminal terminal;
    private final BooleanSupplier stopped;
    private final long began = System.nanoTime();
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
        String line = scenario + ": " + text + " (" + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + " s)";
        if (terminal.interactive()) {
            err.print(CLEAR + line);
            err.flush();
        } else {
            err.println(line);
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
