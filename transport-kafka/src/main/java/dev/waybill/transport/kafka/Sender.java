package dev.waybill.transport.kafka;

import dev.waybill.event.Event;
import dev.waybill.transport.DeliveryResult;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes shipments to the producer and turns what becomes of them into results. Owned by the sender thread; only the
 * producer's callbacks come from elsewhere.
 */
final class Sender {
    private static final Logger log = LoggerFactory.getLogger(Sender.class);

    private final KafkaTransportConfig config;
    private final Executor senderThread;
    private final BooleanSupplier closed;
    private final Clients clients;
    private final Topics topics;
    private final Map<String, String> topicsByDestination = new HashMap<>();

    /**
     * Makes a sender that is not connected yet.
     *
     * @param senderThread runs what it is given on the sender thread, later
     */
    Sender(KafkaTransportConfig config, Executor senderThread, BooleanSupplier closed) {
        this.config = config;
        this.senderThread = senderThread;
        this.closed = closed;
        clients = new Clients(config);
        topics = new Topics(config.topicCreation());
    }

    /** Sends a shipment, now or when its topic is known to exist. */
    void ship(Shipment shipment) {
        guard(shipment, () -> {
            Event event = shipment.delivery().event();
            Set<String> collisions = KafkaHeaders.collisions(event);
            if (!collisions.isEmpty()) {
                shipment.answer(DeliveryResult.rejected("The event's headers " + collisions
                        + " bear names that the transport writes itself; rename them"));
                return;
            }
            String topic;
            try {
                topic = topicsByDestination.computeIfAbsent(event.destination(), config::topicOf);
            } catch (RuntimeException e) {
                shipment.answer(DeliveryResult.rejected(e.getMessage()));
                return;
            }
            if (topics.isKnown(topic)) {
                transmit(shipment, topic);
            } else {
                look(shipment, topic, state -> senderThread.execute(() -> enter(shipment, topic, state)));
            }
        });
    }

    void close() {
        clients.close();
    }

    private void look(Shipment shipment, String topic, Consumer<TopicState> then) {
        try {
            topics.look(clients.admin(), topic).thenAccept(then);
        } catch (RuntimeException e) {
            shipment.answer(DeliveryResult.unavailable("Kafka's client could not be opened: " + Failures.text(e)));
        }
    }

    private void enter(Shipment shipment, String topic, TopicState state) {
        if (state.usable()) {
            guard(shipment, () -> transmit(shipment, topic));
        } else {
            shipment.answer(state.failure());
        }
    }

    /** Whatever goes wrong with one shipment: it has an answer, and the next ones are sent. */
    private static void guard(Shipment shipment, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            log.warn("Send {} failed unexpectedly", shipment.delivery().sendId(), e);
            shipment.answer(DeliveryResult.retry(Failures.text(e)));
        }
    }

    /** Hands a record to the producer; again if it has no room, and once more if it turns out to be broken. */
    private void transmit(Shipment shipment, String topic) {
        ProducerRecord<byte @Nullable [], byte[]> record =
                KafkaHeaders.write(shipment.delivery(), topic, config.source());
        boolean replaced = false;
        while (!closed.getAsBoolean()) {
            long now = System.nanoTime();
            if (now - shipment.acceptedAt() > config.deliveryTimeout().toNanos()) {
                shipment.answer(DeliveryResult.unavailable("Not sent within " + config.deliveryTimeout()
                        + ": Kafka takes records more slowly than they come, or not at all"));
                return;
            }
            Producer<byte @Nullable [], byte[]> producer;
            try {
                producer = clients.producer(now);
            } catch (RuntimeException e) {
                shipment.answer(DeliveryResult.unavailable(Failures.text(e)));
                return;
            }
            Flight flight = new Flight(shipment, topic, producer, clients.pulse(), now);
            RuntimeException failure = hand(record, flight, producer);
            if (failure == null && !flight.foundNoRoom) {
                return;
            }
            if (failure != null && (replaced || !Failures.breaksTheProducer(failure))) {
                shipment.answer(Failures.result(failure));
                return;
            }
            replaced |= failure != null;
        }
    }

    /** Returns what the producer threw; all other failures come through the flight. */
    private @Nullable RuntimeException hand(
            ProducerRecord<byte @Nullable [], byte[]> record,
            Flight flight,
            Producer<byte @Nullable [], byte[]> producer) {
        flight.pulse.sent(flight.sentAt);
        try {
            Future<RecordMetadata> unused = producer.send(record, flight);
            return null;
        } catch (RuntimeException e) {
            flight.pulse.failed(flight.sentAt);
            if (Failures.breaksTheProducer(e)) {
                clients.reportBroken(producer);
            }
            return e;
        }
    }

    /** After a failure that may be the topic's or the cluster's: asks before it answers. */
    private void inquire(Flight flight, boolean silent) {
        Shipment shipment = flight.shipment;
        look(shipment, flight.topic, state -> {
            if (state.failure() instanceof DeliveryResult.Unavailable) {
                shipment.answer(state.failure());
            } else if (flight.neverLeft) {
                shipment.answer(
                        DeliveryResult.unavailable("Kafka's producer has no metadata of topic " + flight.topic));
            } else if (silent) {
                shipment.answer(
                        DeliveryResult.unavailable("Nothing was acknowledged for some time; the outcome is unknown"));
            } else {
                shipment.answer(DeliveryResult.retry("Not acknowledged within " + config.deliveryTimeout()
                        + " although the cluster answers; the outcome is unknown"));
            }
        });
    }

    /** One record with the producer, and what becomes of it. */
    private final class Flight implements Callback {
        final Shipment shipment;
        final String topic;
        final Pulse pulse;
        final long sentAt;
        private final Producer<?, ?> producer;
        private final Thread sendingThread = Thread.currentThread();
        /** Set within the call to the producer, if at all. */
        boolean foundNoRoom;

        volatile boolean neverLeft;

        Flight(Shipment shipment, String topic, Producer<?, ?> producer, Pulse pulse, long sentAt) {
            this.shipment = shipment;
            this.topic = topic;
            this.producer = producer;
            this.pulse = pulse;
            this.sentAt = sentAt;
        }

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
            long now = System.nanoTime();
            if (failure == null) {
                pulse.acknowledged(now);
                shipment.answer(DeliveryResult.delivered());
                return;
            }
            // What has left is answered by the producer's own thread.
            neverLeft = Thread.currentThread() == sendingThread;
            boolean silent = pulse.wasSilentSince(sentAt, now);
            pulse.failed(now);
            if (failure instanceof BufferExhaustedException) {
                foundNoRoom = true;
            } else if (failure instanceof TimeoutException || failure instanceof UnknownTopicOrPartitionException) {
                topics.forget(topic);
                senderThread.execute(() -> inquire(this, silent));
            } else {
                if (Failures.breaksTheProducer(failure)) {
                    clients.reportBroken(producer);
                }
                shipment.answer(Failures.result(failure));
            }
        }
    }
}
