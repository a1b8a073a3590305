package dev.waybill.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import dev.waybill.server.cli.Terminal;
import dev.waybill.testkit.sim.SimulatorCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** What people type behind {@code waybill}: understood, or refused in one line that says why. */
public final class CommandLineTarget implements FuzzTarget {
    private static final int REFUSED = 2;
    /** These would reach out: to a database, to files. */
    private static final List<String> OUTWARD = List.of("--database", "--json", "--payload");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal =
            Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    private final CommandLine waybill = Main.commandLine(terminal).setExecutionStrategy(CommandLineTarget::run);

    @Override
    public void check(Input input) {
        List<String> words = input.texts();
        out.reset();
        err.reset();
        boolean simulator = !words.isEmpty() && words.get(0).equals("sim");
        int code = simulator ? simulate(words) : execute(words);
        String told = err.toString(UTF_8);
        Expect.that(code == 0 || code == REFUSED, "Exit code " + code + ": " + told);
        if (code == REFUSED) {
            List<String> lines = told.lines().toList();
            Expect.that(!told.isBlank(), "It is refused without a reason");
            Expect.oneLine(lines.get(0));
            // The simulator explains itself at once.
            Expect.that(simulator || lines.size() <= 2, "More than a line: " + told);
        }
    }

    private int execute(List<String> words) {
        return waybill.execute(words.toArray(String[]::new));
    }

    /** Of the commands only those that come to nothing without a database. */
    private static int run(ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        boolean operator = parsed.hasSubcommand()
                && parsed.subcommand().commandSpec().name().equals("ops");
        boolean outward =
                parsed.originalArgs().stream().anyMatch(word -> OUTWARD.stream().anyMatch(word::startsWith));
        return operator && !outward ? new CommandLine.RunLast().execute(parsed) : 0;
    }

    /** With words behind them that no simulator knows, so that none begins. */
    private int simulate(List<String> words) {
        List<String> given = new ArrayList<>(words.subList(1, words.size()));
        given.add("--nothing-of-that-name");
        given.add("--nothing-of-that-name");
        return SimulatorCommand.run(given.toArray(String[]::new), terminal.err());
    }
}
