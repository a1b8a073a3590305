package dev.waybill.store.memory;

import java.time.Duration;

/**
 * What a {@link MemoryOutboxStore} keeps, and for how long. Immutable.
 *
 * @param retention      how long deliveries are kept; zero: they leave no trace
 * @param inboxRetention how long an inbox remembers events
 * @param maxReplays     how often a dead letter may be tried again
 */
public record MemoryStoreSettings(Duration retention, Duration inboxRetention, int maxReplays) {

    public MemoryStoreSettings {
        if (retention.isNegative() || inboxRetention.isNegative()) {
            throw new IllegalArgumentException("retention is " + retention + " and inboxRetention " + inboxRetention
                    + "; use zero to keep nothing.");
        }
        if (maxReplays < 0) {
            throw new IllegalArgumentException("maxReplays is " + maxReplays + "; it must not be negative.");
        }
    }

    public static MemoryStoreSettings defaults() {
        return new MemoryStoreSettings(Duration.ofHours(24), Duration.ofDays(8), 3);
    }

    public MemoryStoreSettings withRetention(Duration time) {
        return new MemoryStoreSettings(time, inboxRetention, maxReplays);
    }

    public MemoryStoreSettings withInboxRetention(Duration time) {
        return new MemoryStoreSettings(retention, time, maxReplays);
    }

    public MemoryStoreSettings withMaxReplays(int times) {
        return new MemoryStoreSettings(retention, inboxRetention, times);
    }
}
