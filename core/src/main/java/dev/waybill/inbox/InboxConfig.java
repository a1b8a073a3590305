package dev.waybill.inbox;

import dev.waybill.relay.RetryPolicy;
import java.time.Duration;

/**
 * How a consumer deals with what fails. Immutable.
 *
 * @param retry         how often and how far apart an event is tried before it is a dead letter
 * @param lease         how long a {@linkplain LeasedHandler leased handler} may take until another one takes over
 * @param redeliveryAge how long after its first delivery an event may come again, for instance as long as a Kafka topic keeps
 *                      it. The inbox must remember events for longer: checked at the start
 */
public record InboxConfig(RetryPolicy retry, Duration lease, Duration redeliveryAge) {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(1);
    // A relay waits twice as long for a handler, and a relay's times have an end, too.
    private static final Duration LONGEST_LEASE = Duration.ofDays(365);

    public InboxConfig {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("lease is " + lease + "; it must be between 1 ms and 365 days.");
        }
        if (redeliveryAge.isNegative()) {
            throw new IllegalArgumentException("redeliveryAge is " + redeliveryAge + "; it must not be negative.");
        }
    }

    public static InboxConfig defaults() {
        return new InboxConfig(
                new RetryPolicy(3, Duration.ofMillis(500), Duration.ofMinutes(5)),
                Duration.ofSeconds(30),
                Duration.ofDays(7));
    }

    public InboxConfig withRetry(RetryPolicy policy) {
        return new InboxConfig(policy, lease, redeliveryAge);
    }

    public InboxConfig withLease(Duration time) {
        return new InboxConfig(retry, time, redeliveryAge);
    }

    public InboxConfig withRedeliveryAge(Duration age) {
        return new InboxConfig(retry, lease, age);
    }
}
