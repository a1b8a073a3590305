package dev.waybill.store;

import dev.waybill.OneLine;
import dev.waybill.event.Event;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event in the store, with its delivery state as of the statement that read it.
 *
 * @param sequence  the database's number for it, increasing in the order of inserts (not of commits)
 * @param shard     see {@link Shards}
 * @param attempts  deliveries that were tried and failed
 * @param lastError why the last one failed
 * @param replay    the generation of the replay that this is a copy for; 0: none
 * @param dueIn     how long from the read, by the database's clock, until it may be delivered; zero: now
 */
public record Entry(
        long sequence,
        int shard,
        Event event,
        int attempts,
        @Nullable String lastError,
        int replay,
        Duration dueIn) {

    /** What order this entry is part of; empty for an event without a key. */
    public Optional<OrderKey> orderKey() {
        String key = event.key();
        return key == null ? Optional.empty() : Optional.of(new OrderKey(event.destination(), key));
    }

    public String destination() {
        return event.destination();
    }

    public boolean isDue() {
        return dueIn.isZero() || dueIn.isNegative();
    }

    /** In one line, for the log. */
    @Override
    public String toString() {
        return "entry " + sequence + " (" + event.type() + " " + event.id() + " to " + event.destination()
                + (event.key() == null ? "" : "/" + OneLine.of(event.key())) + ")";
    }
}
