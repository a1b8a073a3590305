package dev.waybill.transport.kafka;

import dev.waybill.OneLine;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a consumer back while it would only fail: nothing for a while, then one at a time, then one more with each that
 * works. Owned by its {@link Dispatch}; times are nanoseconds like those of {@link System#nanoTime}.
 */
final class Brake {
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** A wish to be asked again at once must not become a spin. */
    static final Duration SHORTEST_DEFERRAL = Duration.ofMillis(50);

    private static final Duration LONGEST_DEFERRAL = Duration.ofHours(1);
    private static final Logger log = LoggerFactory.getLogger(Brake.class);

    private final String consumer;
    private final int workers;
    /** How many may be in hand at a time. */
    private int allowed;

    /** From the moment that it held until as many are allowed as before. */
    private boolean recovering;

    private boolean holding;
    private long until;
    /** Failures of the store since something was last taken, those at the same time as one. */
    private int failures;
    /** What was logged, and is not over. */
    private boolean toldDeferral;

    private boolean toldFailure;

    Brake(String consumer, int workers) {
        this.consumer = consumer;
        this.workers = workers;
        allowed = workers;
    }

    /** Whether nothing is handed out at all. */
    boolean holds(long now) {
        holding &= until - now > 0;
        return holding;
    }

    boolean permits(int inHand, long now) {
        return !holds(now) && inHand < allowed;
    }

    /** How long it holds. */
    long remaining(long now) {
        return holds(now) ? until - now : 0;
    }

    /** Whether less is allowed than usual. */
    boolean isOn() {
        return recovering;
    }

    void deferred(Duration retryAfter, long now) {
        hold(between(SHORTEST_DEFERRAL, retryAfter, LONGEST_DEFERRAL), now);
        if (!toldDeferral) {
            toldDeferral = true;
            log.warn("Consumer {} takes nothing for {}; its topics are paused until it does", consumer, retryAfter);
        }
    }

    /** What fails while it holds is of the same failure, and does not make it longer. */
    void failed(Throwable failure, long now) {
        if (!holds(now)) {
            failures++;
            hold(pause(failures), now);
        }
        if (!toldFailure) {
            toldFailure = true;
            log.warn(
                    "Consumer {} cannot take events, and tries again all the time: {}",
                    consumer,
                    OneLine.of(failure.toString()));
        }
    }

    void succeeded(long now) {
        failures = 0;
        if (!recovering || holds(now)) {
            return;
        }
        allowed = Math.min(workers, allowed + 1);
        if (allowed == workers) {
            release();
        }
    }

    /** What the store's n-th failure in a row is answered with. */
    static Duration pause(int failures) {
        long factor = 1L << Math.min(failures - 1, 16);
        return between(FIRST_PAUSE, FIRST_PAUSE.multipliedBy(factor), LONGEST_PAUSE);
    }

    private void hold(Duration time, long now) {
        long end = now + time.toNanos();
        until = holds(now) && until - end > 0 ? until : end;
        holding = true;
        recovering = true;
        allowed = 1;
    }

    private void release() {
        recovering = false;
        log.info("Consumer {} takes events again", consumer);
        toldDeferral = false;
        toldFailure = false;
    }

    private static Duration between(Duration least, Duration wanted, Duration most) {
        Duration atLeast = wanted.compareTo(least) < 0 ? least : wanted;
        return atLeast.compareTo(most) > 0 ? most : atLeast;
    }
}
