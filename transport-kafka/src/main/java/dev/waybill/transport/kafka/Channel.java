package dev.waybill.transport.kafka;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** One producer, from when it is opened until another one takes its place. Thread-safe. */
final class Channel {
    final Producer<byte @Nullable [], byte[]> producer;
    final Pulse pulse;
    final long openedAt;
    /** Whether it takes the place of one that was stopped. */
    final boolean careful;

    /** For so long it takes one record of a key at a time: at most so often a record that fails costs a producer. */
    private static final long CARE = Duration.ofSeconds(1).toNanos();

    private volatile boolean stopped;
    private volatile boolean broken;

    Channel(Producer<byte @Nullable [], byte[]> producer, Pulse pulse, long openedAt, boolean careful) {
        this.producer = producer;
        this.pulse = pulse;
        this.openedAt = openedAt;
        this.careful = careful;
    }

    /** Whether several records of a key may be with it at a time. */
    boolean takesSeveral(long now) {
        return !careful || now - openedAt > CARE;
    }

    /**
     * Nothing leaves any more, and what has no answer yet fails. To be called by the producer's own thread, in the callback of a
     * record that failed: it sends nothing between that and its end.
     */
    void stop() {
        stopped = true;
        producer.close(Duration.ZERO);
    }

    boolean isStopped() {
        return stopped;
    }

    /** The producer has failed for good. */
    void reportBroken() {
        broken = true;
    }

    boolean isBroken() {
        return broken;
    }
}
