package dev.waybill.testkit.sim.mutants;

import java.util.ArrayList;
import java.util.List;

/**
 * A bug and where to plant it. Immutable.
 *
 * @param promise the promise that it breaks first
 * @param known   a world that is known to show it, if it takes long to find one; dice change, and then it is found anew
 */
record Mutant(String bug, int promise, long known, List<Patch> patches) {

    /**
     * A change of a source file.
     *
     * @param file     below the folder of the package {@code dev.waybill}
     * @param original what the file must contain exactly once, or the patch does not apply
     */
    record Patch(String file, String original, String replacement) {

        String applyTo(String source) {
            int at = source.indexOf(original);
            if (at < 0) {
                throw new PatchException(file + " no longer contains\n" + original);
            }
            if (source.indexOf(original, at + 1) >= 0) {
                throw new PatchException(file + " contains more than once\n" + original);
            }
            return source.substring(0, at) + replacement + source.substring(at + original.length());
        }
    }

    static Mutant planted(String bug, int promise, String file, String original, String replacement) {
        return new Mutant(bug, promise, 1, List.of(new Patch(file, original, replacement)));
    }

    Mutant knownFrom(long seed) {
        return new Mutant(bug, promise, seed, patches);
    }

    Mutant and(String file, String original, String replacement) {
        List<Patch> all = new ArrayList<>(patches);
        all.add(new Patch(file, original, replacement));
        return new Mutant(bug, promise, known, List.copyOf(all));
    }
}
