package dev.waybill.testkit.sim;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the command was asked to do. Immutable.
 *
 * @param replay the only seed to run, with its trace
 */
record Options(
        long seeds,
        long from,
        @Nullable Long replay,
        @Nullable Path json,
        boolean help) {
    static final String USAGE = """
            Usage: waybill sim [options]

              --seeds N     run N worlds, each decided by its seed (default 1000)
              --from S      the first seed (default 1)
              --seed X      replay one seed and show who does what at which virtual time
              --json FILE   write the figures to a file
              --help        show this

            Real relays run on a virtual clock against a store and a network in which everything goes wrong; in every third world
            real consumers handle what they deliver. Exit code 0: every promise held in every world; 1: some did not, and their
            seeds are shown; 2: the arguments are wrong.
            """;

    private static final Options DEFAULTS = new Options(1000, 1, null, null, false);

    /** Arguments that make no sense; the message says which. */
    static final class InvalidException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidException(String message) {
            super(message);
        }
    }

    static Options parse(String[] args) throws InvalidException {
        Options options = DEFAULTS;
        for (int i = 0; i < args.length; i++) {
            String name = args[i];
            if (name.equals("--help") || name.equals("-h")) {
                return new Options(options.seeds, options.from, options.replay, options.json, true);
            }
            if (!name.matches("--(seeds|from|seed|json)")) {
                throw new InvalidException("Unknown option " + name + ".");
            }
            if (i + 1 == args.length) {
                throw new InvalidException("Option " + name + " needs a value.");
            }
            options = options.with(name, args[++i]);
        }
        if (options.from > Long.MAX_VALUE - options.seeds) {
            throw new InvalidException("There are no " + options.seeds + " seeds from " + options.from + " on.");
        }
        return options;
    }

    private Options with(String name, String value) throws InvalidException {
        return switch (name) {
            case "--seeds" -> new Options(number(name, value, 1), from, replay, json, help);
            case "--from" -> new Options(seeds, number(name, value, Long.MIN_VALUE), replay, json, help);
            case "--seed" -> new Options(seeds, from, number(name, value, Long.MIN_VALUE), json, help);
            default -> new Options(seeds, from, replay, path(value), help);
        };
    }

    private static long number(String name, String value, long lowest) throws InvalidException {
        try {
            long number = Long.parseLong(value);
            if (number < lowest) {
                throw new InvalidException(name + " must be at least " + lowest + ", not " + value + ".");
            }
            return number;
        } catch (NumberFormatException e) {
            throw new InvalidException(name + " needs a whole number, not \"" + value + "\".");
        }
    }

    private static Path path(String value) throws InvalidException {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new InvalidException("--json needs a file name, not \"" + value + "\".");
        }
    }
}
