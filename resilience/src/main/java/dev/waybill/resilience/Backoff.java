package dev.waybill.resilience;

import io.github.resilience4j.core.IntervalFunction;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/** The waits between tries, in milliseconds: growing bounds, part of which is left to chance. */
record Backoff(RetryConfig config, DoubleSupplier chance) implements IntervalFunction {

    static Backoff of(RetryConfig config) {
        return new Backoff(config, () -> ThreadLocalRandom.current().nextDouble());
    }

    /** The wait after so many failures. */
    @Override
    public Long apply(Integer failures) {
        double grown = config.firstWait().toMillis() * Math.pow(config.multiplier(), failures - 1);
        double bound = Math.min(grown, (double) config.longestWait().toMillis());
        return Math.max(1, Math.round(bound * (1 - config.jitter() * chance.getAsDouble())));
    }
}
