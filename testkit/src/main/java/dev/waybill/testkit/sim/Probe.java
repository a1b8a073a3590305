package dev.waybill.testkit.sim;

import java.util.List;
import java.util.function.LongFunction;

/** Runs the world of a seed and says what was wrong with it, for those who know nothing but Java's own types. Thread-safe. */
final class Probe implements LongFunction<List<String>> {

    @Override
    public List<String> apply(long seed) {
        try {
            return Simulation.run(seed).problems();
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            return List.of("The world ended with " + e);
        }
    }
}
