package dev.waybill.testkit.sim;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the command was asked to do. Immutable.
 *
 * @param seeds   {@code null}: as many as is usual
 * @param from    {@code null}: where the file to resume says, or else the first
 * @param replay  the only seed to run, with its trace
 * @param cut     what is left out of its world
 * @param mutants whether bugs are planted
 * @param knownFirst whether each begins with a world that is known to show it
 * @param bug     only the planted bugs whose name has this in it
 * @param resume  where the state of a long run is kept
 */
record Options(
        @Nullable Long seeds,
        @Nullable Long from,
        @Nullable Long replay,
        Cut cut,
        boolean mutants,
        boolean knownFirst,
        String bug,
        @Nullable Path resume,
        @Nullable Path json,
        boolean help) {
    static final String USAGE = """
            Usage: waybill sim [options]

              --seeds N       run N worlds, each decided by its seed (default 1000)
              --from S        the first seed (default 1); "random" picks one and prints it
              --resume FILE   run N more worlds, from where the run ended that wrote this file, and write it again every 500
                              seeds; its figures are added up. Begins a run if there is no such file
              --seed X        replay one seed and show who does what at which virtual time
              --without A,B   with --seed: leave out kinds of trouble; the report of a failed seed says which
              --writers N     with --seed: no more writers than that; likewise --relays N, and --seconds N of writing
              --mutants       plant known bugs into the sources, one by one, and see whether up to N worlds (default 4000) show each
              --known         with --mutants: begin each with a world that is known to show it
              --bug TEXT      with --mutants: only the bugs with this in their name
              --json FILE     write the figures to a file
              --help          show this

            Real relays run on a virtual clock against a store and a network in which everything goes wrong; in every third world
            real consumers handle what they deliver. The world of the first seed that fails is made as small as possible, and
            its end is shown. Exit code 0: every promise held in every world, or every planted bug was caught; 1: not so; 2: the
            arguments are wrong, or a bug can no longer be planted.
            """;

    /** Arguments that make no sense; the message says which. */
    static final class InvalidException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidException(String message) {
            super(message);
        }
    }

    static Options parse(String[] args) throws InvalidException {
        Parser parser = new Parser();
        for (int i = 0; i < args.length; i++) {
            String name = args[i];
            if (parser.isFlag(name)) {
                continue;
            }
            if (!name.matches("--(seeds|from|seed|json|resume|without|writers|relays|seconds|bug)")) {
                throw new InvalidException("Unknown option " + name + ".");
            }
            if (i + 1 == args.length) {
                throw new InvalidException("Option " + name + " needs a value.");
            }
            parser.set(name, args[++i]);
        }
        return parser.options();
    }

    long seedsOr(long usual) {
        return seeds == null ? usual : seeds;
    }

    long fromOr(long usual) {
        return from == null ? usual : from;
    }

    /** Collects the values of the options. */
    private static final class Parser {
        private @Nullable Long seeds;
        private @Nullable Long from;
        private @Nullable Long replay;
        private Cut cut = Cut.NONE;
        private boolean mutants;
        private boolean knownFirst;
        private String bug = "";
        private @Nullable Path resume;
        private @Nullable Path json;
        private boolean help;

        boolean isFlag(String name) {
            help |= name.equals("--help") || name.equals("-h");
            mutants |= name.equals("--mutants");
            knownFirst |= name.equals("--known");
            return name.matches("-h|--help|--mutants|--known");
        }

        void set(String name, String value) throws InvalidException {
            switch (name) {
                case "--seeds" -> seeds = number(name, value, 1);
                case "--from" -> from = value.equals("random") ? randomSeed() : number(name, value, Long.MIN_VALUE);
                case "--seed" -> replay = number(name, value, Long.MIN_VALUE);
                case "--without" -> cut = new Cut(troubles(value), cut.writers(), cut.relays(), cut.seconds());
                case "--writers" -> cut = cut.withWriters((int) number(name, value, 1));
                case "--relays" -> cut = cut.withRelays((int) number(name, value, 1));
                case "--seconds" -> cut = cut.withSeconds((int) number(name, value, 1));
                case "--bug" -> bug = value;
                case "--resume" -> resume = path(name, value);
                default -> json = path(name, value);
            }
        }

        /** Short enough to be typed, and beyond what anybody counts up to by hand. */
        private static long randomSeed() {
            return 1_000_000 + new SplittableRandom().nextLong(999_000_000);
        }

        Options options() throws InvalidException {
            if (!cut.equals(Cut.NONE) && replay == null) {
                throw new InvalidException("--without, --writers, --relays and --seconds need a --seed.");
            }
            if ((!bug.isEmpty() || knownFirst) && !mutants) {
                throw new InvalidException("--bug and --known need --mutants.");
            }
            if (mutants && (replay != null || resume != null)) {
                throw new InvalidException("--mutants does not go together with --seed or --resume.");
            }
            if (from != null && seeds != null && from > Long.MAX_VALUE - seeds) {
                throw new InvalidException("There are no " + seeds + " seeds from " + from + " on.");
            }
            return new Options(seeds, from, replay, cut, mutants, knownFirst, bug, resume, json, help);
        }
    }

    private static Set<Trouble> troubles(String names) throws InvalidException {
        Set<Trouble> troubles = EnumSet.noneOf(Trouble.class);
        for (String name : names.split(",", -1)) {
            troubles.add(Arrays.stream(Trouble.values())
                    .filter(trouble -> trouble.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new InvalidException(
                            "--without knows no \"" + name + "\", but " + EnumSet.allOf(Trouble.class) + ".")));
        }
        return troubles;
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

    private static Path path(String name, String value) throws InvalidException {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new InvalidException(name + " needs a file name, not \"" + value + "\".");
        }
    }
}
