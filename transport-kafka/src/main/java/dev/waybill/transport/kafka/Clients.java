package dev.waybill.transport.kafka;

import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's clients: opened when they are needed, the producer replaced when it is beyond repair. Owned by the sender thread,
 * except for {@link #reportBroken}.
 */
final class Clients {
    private static final Logger log = LoggerFactory.getLogger(Clients.class);
    /** A producer that fails at once would otherwise be replaced for every record. */
    private static final long SHORTEST_LIFE = Duration.ofSeconds(1).toNanos();

    private final KafkaTransportConfig config;
    private @Nullable Producer<byte @Nullable [], byte[]> producer;
    private @Nullable Admin admin;
    private Pulse pulse;
    private long openedAt;
    private volatile @Nullable Producer<?, ?> broken;

    Clients(KafkaTransportConfig config) {
        this.config = config;
        pulse = new Pulse(config.deliveryTimeout());
    }

    /**
     * The producer, a new one if the last is broken or dead.
     *
     * @throws KafkaException if there is none at the moment
     */
    Producer<byte @Nullable [], byte[]> producer(long now) {
        Producer<byte @Nullable [], byte[]> current = producer;
        if (current != null && (current == broken || pulse.isDead(now))) {
            if (now - openedAt < SHORTEST_LIFE) {
                throw new KafkaException("The producer failed and was replaced a moment ago; it is tried again soon.");
            }
            log.warn("Kafka's producer failed for good and is replaced");
            producer = null;
            broken = null;
            current.close(Duration.ZERO);
            current = null;
        }
        if (current == null) {
            current = new KafkaProducer<>(ProducerSettings.producer(
                    config.bootstrapServers(), config.deliveryTimeout(), config.properties()));
            producer = current;
            pulse = new Pulse(config.deliveryTimeout());
            openedAt = now;
        }
        return current;
    }

    /** The signs of life of the current producer. */
    Pulse pulse() {
        return pulse;
    }

    /** @throws KafkaException if it cannot be opened, for instance because no bootstrap server has an address */
    Admin admin() {
        Admin current = admin;
        if (current == null) {
            current = Admin.create(ProducerSettings.admin(config.bootstrapServers(), config.properties()));
            admin = current;
        }
        return current;
    }

    /** Says that this producer is of no use any more; from any thread. */
    void reportBroken(Producer<?, ?> failed) {
        broken = failed;
    }

    /** Ends both without waiting for what is on its way. */
    void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }
}
