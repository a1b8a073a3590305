package dev.waybill.transport.kafka;

import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's clients: opened when they are needed, the producer replaced when it is beyond repair. Owned by the sender thread.
 */
final class Clients {
    private static final Logger log = LoggerFactory.getLogger(Clients.class);
    /** A producer that fails at once would otherwise be replaced for every record. */
    private static final long SHORTEST_LIFE = Duration.ofSeconds(1).toNanos();

    private final KafkaTransportConfig config;
    private @Nullable Channel channel;
    private @Nullable Admin admin;

    Clients(KafkaTransportConfig config) {
        this.config = config;
    }

    /**
     * The way to Kafka, a new one if the last is stopped, broken or dead.
     *
     * @throws KafkaException if there is none at the moment
     */
    Channel channel(long now) {
        Channel current = channel;
        if (current != null && (current.isBroken() || current.pulse.isDead(now)) && !current.isStopped()) {
            if (now - current.openedAt < SHORTEST_LIFE) {
                throw new KafkaException("The producer failed and was replaced a moment ago; it is tried again soon.");
            }
            log.warn("Kafka's producer failed for good and is replaced");
            current.stop();
        }
        if (current == null || current.isStopped()) {
            current = new Channel(
                    new KafkaProducer<>(ProducerSettings.idempotent(config)),
                    new Pulse(config.deliveryTimeout()),
                    now,
                    current != null);
            channel = current;
        }
        return current;
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

    /** Ends both without waiting for what is on its way. */
    void close() {
        if (channel != null) {
            channel.stop();
        }
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }
}
