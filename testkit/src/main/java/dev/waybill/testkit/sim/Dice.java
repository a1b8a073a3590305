package dev.waybill.testkit.sim;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** All chance of a simulated world, from one seed. Not thread-safe. */
final class Dice {
    private final SplittableRandom random;

    Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Both bounds included. */
    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    double share(double low, double high) {
        return random.nextDouble(low, high);
    }

    Duration micros(int low, int high) {
        return Duration.ofNanos(1000L * between(low, high));
    }

    Duration millis(int low, int high) {
        return micros(1000 * low, 1000 * high);
    }

    Duration upTo(Duration bound) {
        return Duration.ofNanos(random.nextLong(bound.toNanos() + 1));
    }

    <T> T pick(List<T> choice) {
        return choice.get(random.nextInt(choice.size()));
    }

    /** Looks like version 7, but owes nothing to clock or machine. */
    UUID uuid() {
        long high = (random.nextLong() & ~0xf000L) | 0x7000L;
        long low = (random.nextLong() >>> 2) | 0x8000000000000000L;
        return new UUID(high, low);
    }

    RandomGenerator split() {
        return random.split();
    }
}
