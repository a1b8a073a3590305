package dev.waybill.benchmarks.scenario;

import java.time.Duration;

/**
 * How much is measured. Immutable.
 *
 * @param pairs     rounds for ratios near 1
 * @param fewPairs  rounds for others
 * @param warmUp    how long a JVM writes before it is measured
 * @param warmUps   how often a JVM drains before it is measured: the compiler is at work for some ten seconds
 * @param withClient the same if a broker's client is compiled with it, which takes a tenth of both cores for most of a minute
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
        int withClient,
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
                24,
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
                2,
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
                withClient,
                writing,
                backlog,
                other,
                paced,
                10 * history,
                delivered,
                sustained,
                large);
    }

    /** The backlog of scenarios that drain often. */
    int smallBacklog() {
        return backlog / 2;
    }
}
