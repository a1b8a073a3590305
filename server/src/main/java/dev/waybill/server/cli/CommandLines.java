package dev.waybill.server.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.waybill.WaybillException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** How all commands read their options and report what is wrong with them. */
public final class CommandLines {
    private static final int WIDTH = 100;
    private static final int LAST = 1000;
    private static final Pattern UUID_FORM = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private CommandLines() {}

    /** Applies the common settings to a command and its subcommands, which have to be added before. */
    public static CommandLine prepare(CommandLine command, Terminal terminal) {
        addHelp(command);
        return command.setOut(new PrintWriter(terminal.out(), true, US_ASCII))
                .setErr(new PrintWriter(terminal.err(), true, US_ASCII))
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.color() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(WIDTH)
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, Durations::parse)
                .registerConverter(Instant.class, Times::parse)
                .registerConverter(UUID.class, CommandLines::uuid)
                .setParameterExceptionHandler((wrong, args) -> usageError(terminal, wrong))
                .setExecutionExceptionHandler((failure, failed, parsed) -> executionError(terminal, failure, failed));
    }

    private static void addHelp(CommandLine command) {
        command.getSubcommands().values().forEach(CommandLines::addHelp);
        if (command.isUnmatchedOptionsArePositionalParams()) {
            // It hands all of its arguments on, --help included.
            return;
        }
        command.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .order(LAST)
                        .description("Show this help and exit.")
                        .build());
    }

    /** Stricter than {@link UUID#fromString}, which takes {@code 1-2-3-4-5} for one. */
    private static UUID uuid(String text) {
        if (!UUID_FORM.matcher(text).matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not an id such as 01932c5e-7f3a-7000-8000-0123456789ab");
        }
        return UUID.fromString(text);
    }

    private static int usageError(Terminal terminal, ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String what = wrong instanceof UnmatchedArgumentException unmatched ? unmatched(unmatched) : wrong.getMessage();
        terminal.err().println(name + ": " + Printable.of(String.valueOf(what)));
        terminal.err().println("See " + name + " --help.");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String unmatched(UnmatchedArgumentException wrong) {
        CommandLine command = wrong.getCommandLine();
        List<String> words = wrong.getUnmatched();
        String word = words.get(0);
        if (word.startsWith("-")) {
            String option = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
            return "unknown option " + option
                    + (isOptionBelow(command, option)
                            ? "; it comes after the command."
                            : suggestion(option, optionNames(command)));
        }
        if (command.getSubcommands().isEmpty()) {
            return "unexpected argument " + word;
        }
        return "unknown command " + word
                + suggestion(word, command.getSubcommands().keySet());
    }

    private static boolean isOptionBelow(CommandLine command, String option) {
        return command.getSubcommands().values().stream()
                .anyMatch(below -> below.getCommandSpec().findOption(option) != null || isOptionBelow(below, option));
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
            err.println(name + ": " + Printable.of(String.valueOf(failure.getMessage())));
            return failed.getCommandSpec().exitCodeOnInvalidInput();
        }
        if (failure instanceof FailedException || failure instanceof WaybillException) {
            err.println(name + ": " + Printable.of(String.valueOf(failure.getMessage())));
            return failed.getCommandSpec().exitCodeOnExecutionException();
        }
        err.println(name + ": " + failure);
        failure.printStackTrace(err);
        return failed.getCommandSpec().exitCodeOnExecutionException();
    }
}
