package dev.waybill.transport.kafka;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One producer, from when it is opened until another one takes its place. Thread-safe. */
final class Channel {
    private static final Logger log = LoggerFactory.getLogger(Channel.class);
    /** For so long it takes one record of a key at a time: at most so often a record that fails costs a producer. */
    private static final long CARE = Duration.ofSeconds(1).toNanos();

    final Producer<byte @Nullable [], byte[]> producer;
    final Pulse pulse;
    final long openedAt;
    /** Whether it takes the place of one that was stopped. */
    final boolean careful;

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
     * Nothing more is taken out of the producer's queues, and what has no answer yet fails. In the callback of a record that failed,
     * so on the producer's own thread, nothing of its partition leaves any more: what that thread may still send is what it
     * had taken out before, and of this partition that was the record itself.
     */
    void stop() {
        stopped = true;
        try {
            producer.close(Duration.ZERO);
        } catch (RuntimeException e) {
            // Of an interceptor, say: the records are answered for all the same.
            log.warn("Kafka's producer was not closed properly", e);
        }
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
