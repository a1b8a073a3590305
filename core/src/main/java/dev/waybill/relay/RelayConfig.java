package dev.waybill.relay;

import java.time.Duration;

/**
 * How a relay works. Immutable; the defaults suit most services.
 *
 * @param lease           how long a shard stays with a relay that does not renew: the time to recover from a crash
 * @param renewInterval   how often leases are renewed; at most a third of the lease
 * @param pollInterval    the longest time between two looks into the store without a wake-up
 * @param batchSize       entries that one fetch or one settle handles
 * @param window          entries that a relay has in hand at a time, those that were sent and not yet settled included
 * @param windowBytes     bytes of payloads that a relay has in hand at a time
 * @param deliveryTimeout after this a delivery without a result has failed, with an unknown outcome
 * @param settleDelay     how long outcomes may wait for others while more are on their way, to be written with them
 * @param probe           how a destination that is down is probed, from the first wait to the longest
 * @param rescanInterval  how often a shard is read again from its beginning, as a safety net
 */
public record RelayConfig(
        Duration lease,
        Duration renewInterval,
        Duration pollInterval,
        int batchSize,
        int window,
        long windowBytes,
        Duration deliveryTimeout,
        Duration settleDelay,
        RetryPolicy probe,
        Duration rescanInterval) {

    // Far less than fits into nanoseconds, so that nothing overflows.
    private static final Duration LONGEST = Duration.ofDays(3650);

    public RelayConfig {
        requireTime("lease", lease);
        requireTime("renewInterval", renewInterval);
        requireTime("pollInterval", pollInterval);
        requireTime("deliveryTimeout", deliveryTimeout);
        requireTime("rescanInterval", rescanInterval);
        if (settleDelay.isNegative()
                || settleDelay.compareTo(lease) > 0
                || settleDelay.multipliedBy(10).compareTo(lease) > 0) {
            throw new IllegalArgumentException(
                    "settleDelay is " + settleDelay + "; it must be between zero and a tenth of" + " the lease, "
                            + lease + ": what is not settled when the lease ends is delivered again.");
        }
        if (renewInterval.multipliedBy(3).compareTo(lease) > 0) {
            throw new IllegalArgumentException("renewInterval " + renewInterval + " is more than a third of lease "
                    + lease + ": one slow renewal would cost the relay its shards.");
        }
        if (batchSize < 1 || window < 16 || windowBytes < window) {
            throw new IllegalArgumentException("batchSize " + batchSize + " must be at least 1, window " + window
                    + " at least 16, and windowBytes " + windowBytes + " at least window.");
        }
    }

    public static RelayConfig defaults() {
        return new RelayConfig(
                Duration.ofSeconds(10),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                1000,
                4096,
                16L * 1024 * 1024,
                Duration.ofSeconds(30),
                Duration.ofMillis(5),
                new RetryPolicy(Integer.MAX_VALUE, Duration.ofMillis(500), Duration.ofSeconds(4)),
                Duration.ofMinutes(5));
    }

    /** Sets the lease, and the renewal interval to three tenths of it. */
    public RelayConfig withLease(Duration lease) {
        requireTime("lease", lease);
        return new RelayConfig(
                lease,
                lease.multipliedBy(3).dividedBy(10),
                pollInterval,
                batchSize,
                window,
                windowBytes,
                deliveryTimeout,
                settleDelay,
                probe,
                rescanInterval);
    }

    public RelayConfig withPollInterval(Duration interval) {
        return new RelayConfig(
                lease,
                renewInterval,
                interval,
                batchSize,
                window,
                windowBytes,
                deliveryTimeout,
                settleDelay,
                probe,
                rescanInterval);
    }

    public RelayConfig withBatchSize(int entries) {
        return new RelayConfig(
                lease,
                renewInterval,
                pollInterval,
                entries,
                window,
                windowBytes,
                deliveryTimeout,
                settleDelay,
                probe,
                rescanInterval);
    }

    public RelayConfig withWindow(int entries) {
        return new RelayConfig(
                lease,
                renewInterval,
                pollInterval,
                batchSize,
                entries,
                windowBytes,
                deliveryTimeout,
                settleDelay,
                probe,
                rescanInterval);
    }

    public RelayConfig withWindowBytes(long bytes) {
        return new RelayConfig(
                lease,
                renewInterval,
                pollInterval,
                batchSize,
                window,
                bytes,
                deliveryTimeout,
                settleDelay,
                probe,
                rescanInterval);
    }

    public RelayConfig withDeliveryTimeout(Duration timeout) {
        return new RelayConfig(
                lease,
                renewInterval,
                pollInterval,
                batchSize,
                window,
                windowBytes,
                timeout,
                settleDelay,
                probe,
                rescanInterval);
    }

    /** Sets how long outcomes may wait for others; zero: not at all, which costs a slow transport a write for each of them. */
    public RelayConfig withSettleDelay(Duration delay) {
        return new RelayConfig(
                lease,
                renewInterval,
                pollInterval,
                batchSize,
                window,
                windowBytes,
                deliveryTimeout,
                delay,
                probe,
                rescanInterval);
    }

    /** Sets the first and the longest wait between two probes of a destination that is down. */
    public RelayConfig withProbe(Duration first, Duration longest) {
        RetryPolicy policy = probe.withBackoff(first, longest);
        return new RelayConfig(
                lease,
                renewInterval,
                pollInterval,
                batchSize,
                window,
                windowBytes,
                deliveryTimeout,
                settleDelay,
                policy,
                rescanInterval);
    }

    public RelayConfig withRescanInterval(Duration interval) {
        return new RelayConfig(
                lease,
                renewInterval,
                pollInterval,
                batchSize,
                window,
                windowBytes,
                deliveryTimeout,
                settleDelay,
                probe,
                interval);
    }

    /** How long after asking for a renewal a relay may still send: the rest covers a delivery that is under way. */
    Duration sendingTime() {
        return lease.multipliedBy(4).dividedBy(5);
    }

    private static void requireTime(String name, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; it must be positive, and at most 3,650 days.");
        }
    }
}
