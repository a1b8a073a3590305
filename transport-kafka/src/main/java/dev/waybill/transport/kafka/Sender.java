package dev.waybill.transport.kafka;

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
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes convoys to the producer and turns what becomes of them into results. Owned by the sender thread; only the
 * producer's callbacks come from elsewhere.
 *
 * <p>Several records of a key may be with the producer, which has one request on its way to each broker: behind a record that
 * fails nothing of its partition has left. If some of its key are behind it, the callback stops the producer before they can
 * leave, and all else that it had goes again through another one.
 */
final class Sender {
    private static final Logger log = LoggerFactory.getLogger(Sender.class);

    private final KafkaTransportConfig config;
    private final Executor senderThread;
    private final BooleanSupplier closed;
    private final Clients clients;
    private final Topics topics;
    private final Map<String, String> topicsByDestination = new HashMap<>();
    private final RecordWriter writer;

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
        writer = new RecordWriter(config.source());
        topics = new Topics(config.topicCreation());
    }

    /** Sends a convoy, now or when its topic is known to exist. */
    void ship(Convoy convoy) {
        guard(convoy, () -> {
            DeliveryResult refusal = refusal(convoy.shipment(0), System.nanoTime());
            if (refusal != null) {
                convoy.failed(0, refusal);
                return;
            }
            String topic;
            try {
                topic = topicsByDestination.computeIfAbsent(convoy.destination(), config::topicOf);
            } catch (RuntimeException e) {
                convoy.failed(0, DeliveryResult.rejected(e.getMessage()));
                return;
            }
            goOn(convoy, topic);
        });
    }

    void close() {
        clients.close();
    }

    /** Hands over what may be, now or when the topic is known to exist: the producer would wait for it. */
    private void goOn(Convoy convoy, String topic) {
        guard(convoy, () -> {
            if (topics.isKnown(topic)) {
                transmit(convoy, topic);
            } else {
                look(topic, convoy::failedNext, state -> senderThread.execute(() -> enter(convoy, topic, state)));
            }
        });
    }

    private void enter(Convoy convoy, String topic, TopicState state) {
        if (state.usable()) {
            guard(convoy, () -> transmit(convoy, topic));
        } else {
            convoy.failedNext(state.failure());
        }
    }

    private void look(String topic, Consumer<DeliveryResult> otherwise, Consumer<TopicState> then) {
        try {
            topics.look(clients.admin(), topic).thenAccept(then);
        } catch (RuntimeException e) {
            otherwise.accept(DeliveryResult.unavailable("Kafka's client could not be opened: " + Failures.text(e)));
        }
    }

    /** Whatever goes wrong with one convoy: it has an answer, and the next ones are sent. */
    private static void guard(Convoy convoy, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            log.warn(
                    "Send {} failed unexpectedly", convoy.shipment(0).delivery().sendId(), e);
            convoy.failedNext(DeliveryResult.retry(Failures.text(e)));
        }
    }

    /** Hands over as many of a convoy as may be on their way. */
    private void transmit(Convoy convoy, String topic) {
        boolean replaced = false;
        while (!closed.getAsBoolean()) {
            long now = System.nanoTime();
            Channel channel;
            try {
                channel = clients.channel(now);
            } catch (RuntimeException e) {
                convoy.failedNext(DeliveryResult.unavailable(Failures.text(e)));
                return;
            }
            int index = convoy.next(channel, channel.takesSeveral(now));
            if (index == Convoy.NONE) {
                return;
            }
            Shipment shipment = convoy.shipment(index);
            DeliveryResult refusal = refusal(shipment, now);
            if (refusal != null) {
                convoy.failed(index, refusal);
                return;
            }
            Flight flight = new Flight(convoy, index, topic, channel, now);
            RuntimeException failure = hand(shipment, flight, channel);
            if (failure == null && !flight.refused) {
                continue;
            }
            // Again if it has no room or was stopped, and once more if it turns out to be broken.
            convoy.refused(index);
            if (failure != null && !channel.isStopped()) {
                if (replaced || !Failures.breaksTheProducer(failure)) {
                    convoy.failed(index, Failures.result(failure));
                    return;
                }
                replaced = true;
            }
        }
    }

    /** Why it is not sent, if it is not. */
    private @Nullable DeliveryResult refusal(Shipment shipment, long now) {
        Set<String> collisions = KafkaHeaders.collisions(shipment.delivery().event());
        if (!collisions.isEmpty()) {
            return DeliveryResult.rejected(
                    "The event's headers " + collisions + " bear names that the transport writes itself; rename them");
        }
        if (now - shipment.acceptedAt() > config.deliveryTimeout().toNanos()) {
            return DeliveryResult.unavailable("Not sent within " + config.deliveryTimeout()
                    + ": Kafka takes records more slowly than they come, or not at all");
        }
        return null;
    }

    /** Returns what was thrown; all other failures come through the flight. */
    private @Nullable RuntimeException hand(Shipment shipment, Flight flight, Channel channel) {
        channel.pulse.sent(flight.sentAt);
        try {
            Integer partition = flight.convoy.partition(channel, flight.topic);
            ProducerRecord<byte @Nullable [], byte[]> record =
                    writer.write(shipment.delivery(), flight.topic, partition);
            Future<RecordMetadata> unused = channel.producer.send(record, flight);
            return null;
        } catch (TimeoutException e) {
            // There is no metadata to find the partition by: as if the producer had not found it.
            flight.onCompletion(null, e);
            return null;
        } catch (RuntimeException e) {
            channel.pulse.failed(flight.sentAt);
            if (Failures.breaksTheProducer(e)) {
                channel.reportBroken();
            }
            return e;
        }
    }

    /** After a failure that may be the topic's or the cluster's: asks before it answers. */
    private void inquire(Flight flight, boolean silent) {
        Consumer<DeliveryResult> answer = result -> flight.convoy.failed(flight.index, result);
        look(flight.topic, answer, state -> answer.accept(timedOut(flight, state, silent)));
    }

    private DeliveryResult timedOut(Flight flight, TopicState state, boolean silent) {
        if (state.failure() instanceof DeliveryResult.Unavailable) {
            return state.failure();
        }
        if (flight.neverLeft) {
            return DeliveryResult.unavailable("Kafka's producer has no metadata of topic " + flight.topic);
        }
        return silent
                ? DeliveryResult.unavailable("Nothing was acknowledged for some time; the outcome is unknown")
                : DeliveryResult.retry("Not acknowledged within " + config.deliveryTimeout()
                        + " although the cluster answers; the outcome is unknown");
    }

    /** One record with the producer, and what becomes of it. */
    private final class Flight implements Callback {
        final Convoy convoy;
        final int index;
        final String topic;
        final long sentAt;
        private final Channel channel;
        private final Thread sendingThread = Thread.currentThread();
        /** Set within the call to the producer, if at all: it has to be handed over again. */
        boolean refused;

        volatile boolean neverLeft;

        Flight(Convoy convoy, int index, String topic, Channel channel, long sentAt) {
            this.convoy = convoy;
            this.index = index;
            this.topic = topic;
            this.channel = channel;
            this.sentAt = sentAt;
        }

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
            long now = System.nanoTime();
            if (failure == null) {
                channel.pulse.acknowledged(now);
                if (convoy.acknowledged(index, channel)) {
                    senderThread.execute(() -> goOn(convoy, topic));
                }
                return;
            }
            // What has left is answered by the producer's own thread.
            neverLeft = Thread.currentThread() == sendingThread;
            boolean silent = channel.pulse.wasSilentSince(sentAt, now);
            channel.pulse.failed(now);
            if (neverLeft && (failure instanceof BufferExhaustedException || channel.isStopped())) {
                refused = true;
            } else if (channel.isStopped()) {
                if (convoy.takeBack(channel)) {
                    senderThread.execute(() -> goOn(convoy, topic));
                }
            } else {
                failed(failure, silent);
            }
        }

        private void failed(Exception failure, boolean silent) {
            if (convoy.cut(index)) {
                // Now, in this thread: it would send what is behind this record.
                log.info(
                        "A record for topic {} failed ({}), and others of its key are behind it: the producer is replaced, and"
                                + " what is on its way goes again",
                        topic,
                        Failures.text(failure));
                channel.stop();
            }
            if (failure instanceof TimeoutException || failure instanceof UnknownTopicOrPartitionException) {
                topics.forget(topic);
                senderThread.execute(() -> inquire(this, silent));
                return;
            }
            if (Failures.breaksTheProducer(failure)) {
                channel.reportBroken();
            }
            convoy.failed(index, Failures.result(failure));
        }
    }
}
