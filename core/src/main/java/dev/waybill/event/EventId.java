package dev.waybill.event;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;

/**
 * Makes UUIDs of version 7 (RFC 9562): milliseconds, a counter, random bits.
 *
 * <p>Ids of one generator increase strictly, also within a millisecond and when the clock is set back.
 * Thread-safe.
 */
public final class EventId {
    private static final EventId DEFAULT = new EventId(InstantSource.system());
    private static final int COUNTER_BITS = 12;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    // Milliseconds and counter in one number, so that an overflowing counter carries into the milliseconds.
    private long last;

    public EventId(InstantSource clock) {
        this.clock = clock;
    }

    public static UUID next() {
        return DEFAULT.generate();
    }

    public UUID generate() {
        long tick = tick();
        long high = (tick >>> COUNTER_BITS) << 16 | 0x7000L | (tick & ((1L << COUNTER_BITS) - 1));
        long low = random.nextLong() >>> 2 | 0x8000000000000000L;
        return new UUID(high, low);
    }

    private synchronized long tick() {
        last = Math.max(last + 1, clock.millis() << COUNTER_BITS);
        return last;
    }
}
