package dev.waybill.relay;

import dev.waybill.fuzz.Expect;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.testkit.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;

/** Whether what is accepted as configuration works. */
public final class RelayProbe {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final int STEPS = 4;

    private RelayProbe() {}

    /** Lets a relay run with it for some steps. */
    public static void check(RelayConfig config) {
        check(config.probe());
        Expect.that(config.sendingTime().compareTo(config.lease()) < 0, "It sends when its lease is over");
        Expect.that(!config.lease().isNegative() && !config.lease().isZero(), "A lease of " + config.lease());
        ManualClock clock = new ManualClock();
        RelayAgent relay = new RelayAgent(
                new UUID(0, 1),
                new MemoryOutboxStore(clock),
                Routes.builder().build(),
                config,
                clock,
                new SplittableRandom(1),
                new SimpleMeterRegistry(),
                Runnable::run);
        for (int i = 0; i < STEPS; i++) {
            relay.doWork();
            Duration idle = relay.idleFor();
            Expect.that(!idle.isNegative(), "It sleeps for " + idle);
            clock.advance(idle.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1) : idle);
        }
    }

    /** No wait is longer than the longest one. */
    public static void check(RetryPolicy policy) {
        Expect.that(policy.maxAttempts() >= 1, "Attempts: " + policy.maxAttempts());
        SplittableRandom random = new SplittableRandom(policy.maxAttempts());
        for (int failures : new int[] {1, 2, 10, 31, 32, Integer.MAX_VALUE}) {
            Duration wait = policy.wait(failures, random);
            Expect.that(
                    wait.compareTo(SHORTEST) >= 0 && wait.compareTo(policy.cap()) <= 0,
                    "A wait of " + wait + ", and at most " + policy.cap() + " is allowed");
        }
    }
}
