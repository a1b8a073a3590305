package dev.waybill.outbox;

import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the backlog limit. Thread-safe.
 *
 * <p>The backlog is counted at most once a second, by one of the publishers and up to a little more than the limit, so
 * that the check costs the others nothing. Between two counts the limit may be exceeded by what comes in a second.
 */
final class BacklogGuard {
    private static final Logger log = LoggerFactory.getLogger(BacklogGuard.class);
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();
    private static final long WARNING_INTERVAL = Duration.ofSeconds(30).toNanos();

    private final BacklogLimit limit;
    private final LongUnaryOperator count;
    private final LongSupplier nanoClock;
    private final AtomicLong nextCount;
    private final AtomicLong nextWarning;
    private volatile boolean exceeded;

    /** Keeps a limit with a count of what is pending, up to the number that it is given. */
    BacklogGuard(BacklogLimit limit, LongUnaryOperator count, LongSupplier nanoClock) {
        this.limit = limit;
        this.count = count;
        this.nanoClock = nanoClock;
        nextCount = new AtomicLong(nanoClock.getAsLong());
        nextWarning = new AtomicLong(nanoClock.getAsLong());
    }

    void check() {
        if (limit.entries() == 0) {
            return;
        }
        long now = nanoClock.getAsLong();
        if (isTime(nextCount, now, INTERVAL)) {
            exceeded = isExceeded();
        }
        if (!exceeded) {
            return;
        }
        if (limit.action() == BacklogLimit.Action.REJECT) {
            throw new OutboxLimitException(
                    "backlog",
                    "More than " + limit.entries() + " events are pending in the outbox, so no more are accepted."
                            + " Roll back and try again later; look why the relay does not keep up (paused or slow"
                            + " destinations, no relay running), or raise OutboxConfig.backlog.");
        }
        if (isTime(nextWarning, now, WARNING_INTERVAL)) {
            log.warn("More than {} events are pending in the outbox: the relay does not keep up", limit.entries());
        }
    }

    /** A count that fails is no reason to refuse an event: its own insert will tell whether the store works. */
    private boolean isExceeded() {
        try {
            // One more than there may be is enough to know; there is no number above the largest.
            return count.applyAsLong(Math.min(limit.entries(), Long.MAX_VALUE - 1) + 1) > limit.entries();
        } catch (StoreException e) {
            log.warn("The backlog could not be counted: {}", e.toString());
            return exceeded;
        }
    }

    /** True for one caller in an interval. */
    private static boolean isTime(AtomicLong next, long now, long interval) {
        long time = next.get();
        return now - time >= 0 && next.compareAndSet(time, now + interval);
    }
}
