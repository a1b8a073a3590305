package dev.waybill.benchmarks.scenario;

import java.time.Duration;

/**
 * How much is measured. Immutable.
 *
 * @param pairs     rounds for ratios near 1
 * @param fewPairs  rounds for others
 * @param warmUp    how long a JVM writes before it is measured
 * @param warmUps   how often a JVM drains before it is measured: the compiler is at work for some ten seconds
 * @param writing   how long writers write in a round
 * @param backlog   messages of a drain
 * @param other     messages of a drain on another database
 * @param paced     how long writers write at a fixed rate
 * @param history   deliveries that are there before a drain
 * @param delivered messages that were delivered under the held snapshot
 * @param sustained how long a rate has to be carried
 * @param large     messages that go through a small heap
 */
public record Sizes(
        int pairs,
        int fewPairs,
        Duration warmUp,
        int warmUps,
        Duration writing,
        int backlog,
        int other,
        Duration paced,
        int history,
        int delivered,
        Duration sustained,
        int large) {
    static final int WRITERS = 8;
    static final int KEYS = 1000;
    static final int PAYLOAD = 300;

    public static Sizes normal() {
        return new Sizes(
                10,
                5,
                Duration.ofSeconds(15),
                6,
                Duration.ofSeconds(2),
                200_000,
                100_000,
                Duration.ofSeconds(10),
                2_000_000,
                300_000,
                Duration.ofSeconds(60),
                2_000_000);
    }

    /** Fewer and shorter rounds: all scenarios in less than five minutes. */
    public static Sizes quick() {
        return new Sizes(
                3,
                2,
                Duration.ofSeconds(1),
                1,
                Duration.ofMillis(400),
                30_000,
                5_000,
                Duration.ofSeconds(1),
                60_000,
                30_000,
                Duration.ofSeconds(4),
                200_000);
    }

    /** With a history of ten times the size. */
    public Sizes withLongHistory() {
        return new Sizes(
                pairs,
                fewPairs,
                warmUp,
                warmUps,
                writing,
                backlog,
                other,
                paced,
                10 * history,
                delivered,
                sustained,
                large);
    }

    /**
     * How often a JVM drains before it is measured if a broker's client is compiled with it: for some 25 seconds that takes
     * more than a quarter of a core, for all contenders.
     */
    int warmUpsWithClient() {
        return 2 * warmUps;
    }

    /** The backlog of scenarios that drain often. */
    int smallBacklog() {
        return backlog / 2;
    }
}
