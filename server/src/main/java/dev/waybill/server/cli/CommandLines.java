package dev.waybill.server.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** How all commands read their options and report what is wrong with them. */
public final class CommandLines {
    private static final int WIDTH = 100;

    private CommandLines() {}

    /** Applies the common settings to a command and its subcommands, which have to be added before. */
    public static CommandLine prepare(CommandLine command, Terminal terminal) {
        command.getSubcommands().values().forEach(CommandLines::addHelp);
        addHelp(command);
        return command.setOut(new PrintWriter(terminal.out(), true, US_ASCII))
                .setErr(new PrintWriter(terminal.err(), true, US_ASCII))
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.color() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(WIDTH)
                .setExpandAtFiles(false)
                .registerConverter(Duration.class, Durations::parse)
                .setParameterExceptionHandler((wrong, args) -> usageError(terminal, wrong))
                .setExecutionExceptionHandler((failure, failed, parsed) -> executionError(terminal, failure, failed));
    }

    private static void addHelp(CommandLine command) {
        if (command.isUnmatchedOptionsArePositionalParams()) {
            // It hands all of its arguments on, --help included.
            return;
        }
        command.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help and exit.")
                        .build());
    }

    private static int usageError(Terminal terminal, ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String what = wrong instanceof UnmatchedArgumentException unmatched ? unmatched(unmatched) : wrong.getMessage();
        terminal.err().println(name + ": " + what);
        terminal.err().println("See " + name + " --help.");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String unmatched(UnmatchedArgumentException wrong) {
        CommandLine command = wrong.getCommandLine();
        List<String> words = wrong.getUnmatched();
        String word = words.get(0);
        if (word.startsWith("-")) {
            String option = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
            return "unknown option " + option + suggestion(option, optionNames(command));
        }
        if (command.getSubcommands().isEmpty()) {
            return "unexpected argument " + word;
        }
        return "unknown command " + word
                + suggestion(word, command.getSubcommands().keySet());
    }

    private static List<String> optionNames(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .map(option -> option.longestName())
                .toList();
    }

    private static String suggestion(String word, Collection<String> candidates) {
        Optional<String> nearest = Nearest.to(word, candidates);
        return nearest.map(candidate -> "; did you mean " + candidate + "?").orElse(".");
    }

    private static int executionError(Terminal terminal, Exception failure, CommandLine failed) {
        PrintStream err = terminal.err();
        String name = failed.getCommandSpec().qualifiedName();
        if (failure instanceof UsageException) {
            err.println(name + ": " + failure.getMessage());
            return failed.getCommandSpec().exitCodeOnInvalidInput();
        }
        err.println(name + ": " + failure);
        failure.printStackTrace(err);
        return failed.getCommandSpec().exitCodeOnExecutionException();
    }
}
