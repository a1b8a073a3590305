package dev.waybill.transport.kafka;

import dev.waybill.event.Event;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Term;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes batches to Kafka, each in a transaction together with the ledger. Owned by the thread of its {@link GroupTerm}, except for
 * the producer's callbacks.
 *
 * <p>A record that cannot be delivered is left out with all that is behind it of its key, before the transaction or by aborting
 * that and trying again without it. So the rest is not held up, and a failure prevents every later success of its key. Results
 * come in the order of the batch, when it is known what became of all of it.
 */
final class Transactions {
    private final int group;
    private final KafkaTransportConfig config;
    private final Producer<byte @Nullable [], byte[]> producer;
    private final ExactlyOnce exactlyOnce;
    private final Topics topics;
    private final Map<Long, Term.Arrived> unsettled;
    private final byte[] ledgerKey;
    private final RecordWriter writer;

    Transactions(
            int group,
            KafkaTransportConfig config,
            Producer<byte @Nullable [], byte[]> producer,
            ExactlyOnce exactlyOnce,
            Topics topics,
            Map<Long, Term.Arrived> unsettled) {
        this.group = group;
        this.config = config;
        this.producer = producer;
        this.exactlyOnce = exactlyOnce;
        this.topics = topics;
        this.unsettled = unsettled;
        writer = new RecordWriter(config.source());
        ledgerKey = String.valueOf(group).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Delivers a batch and answers for it.
     *
     * @throws RuntimeException if it is not certain what became of it, or nothing more can be sent: the term is over
     */
    void deliver(List<Shipment> batch) {
        Map<Shipment, DeliveryResult> failed = new HashMap<>();
        Map<Shipment, ProducerRecord<byte @Nullable [], byte[]>> records = new LinkedHashMap<>();
        Map<String, TopicState> states = new HashMap<>();
        for (Shipment shipment : batch) {
            try {
                records.put(shipment, record(shipment, states));
            } catch (RefusedException e) {
                failed.put(shipment, e.result);
            } catch (KafkaException e) {
                failed.put(shipment, DeliveryResult.unavailable(Failures.text(e)));
            } catch (RuntimeException e) {
                // One event must not end the term for all: the next one would meet it again.
                failed.put(shipment, DeliveryResult.retry(Failures.text(e)));
            }
        }
        List<Shipment> left = leaveOutBehind(failed, batch);
        boolean committed = left.isEmpty();
        while (!committed && !left.isEmpty()) {
            Map<Shipment, Exception> failures = tryOnce(left, records);
            committed = failures.isEmpty();
            if (!committed) {
                judge(failures, left, failed);
                left = leaveOutBehind(failed, left);
            }
        }
        answer(batch, left, failed);
    }

    /** What a shipment is sent as; fails if it cannot be sent. */
    private ProducerRecord<byte @Nullable [], byte[]> record(Shipment shipment, Map<String, TopicState> states) {
        Event event = shipment.delivery().event();
        Set<String> collisions = KafkaHeaders.collisions(event);
        if (!collisions.isEmpty()) {
            throw new RefusedException(DeliveryResult.rejected(
                    "The event's headers " + collisions + " bear names that the transport writes itself; rename them"));
        }
        String topic;
        try {
            topic = config.topicOf(event.destination());
        } catch (RuntimeException e) {
            throw new RefusedException(DeliveryResult.rejected(e.getMessage()));
        }
        if (!topics.isKnown(topic)) {
            TopicState state = states.computeIfAbsent(topic, this::look);
            if (!state.usable()) {
                throw new RefusedException(state.failure());
            }
        }
        return writer.write(shipment.delivery(), topic, null);
    }

    private TopicState look(String topic) {
        return topics.look(exactlyOnce.admin(), topic).toCompletableFuture().join();
    }

    /** Sends some in a transaction; returns what failed, in which case nothing of it has arrived. */
    private Map<Shipment, Exception> tryOnce(
            List<Shipment> shipments, Map<Shipment, ProducerRecord<byte @Nullable [], byte[]>> records) {
        Map<Shipment, Exception> failures = new ConcurrentHashMap<>();
        List<Term.Arrived> listed = new ArrayList<>(unsettled.values());
        producer.beginTransaction();
        try {
            for (Shipment shipment : shipments) {
                Future<RecordMetadata> unused = producer.send(records.get(shipment), (metadata, failure) -> {
                    if (failure != null) {
                        failures.put(shipment, failure);
                    }
                });
                listed.add(GroupTerm.entry(shipment.delivery()));
            }
            Future<RecordMetadata> unused = producer.send(
                    new ProducerRecord<>(exactlyOnce.ledger().name(), group, ledgerKey, LedgerRecord.write(listed)));
            producer.flush();
        } catch (KafkaException e) {
            if (failures.isEmpty()) {
                throw e;
            }
            // The producer takes nothing more after a failure: that of a record is the one to look at.
        }
        if (failures.isEmpty()) {
            // Throws if the ledger's record failed, and if nobody knows.
            producer.commitTransaction();
            for (Shipment shipment : shipments) {
                unsettled.put(shipment.delivery().sequence(), GroupTerm.entry(shipment.delivery()));
            }
        }
        return failures;
    }

    /** Whose fault it was, and what they get. Without a transaction to commit nothing of it has arrived, or will. */
    private void judge(Map<Shipment, Exception> failures, List<Shipment> tried, Map<Shipment, DeliveryResult> failed) {
        Map<Shipment, DeliveryResult> guilty = new HashMap<>();
        failures.forEach((shipment, failure) -> {
            if (isAboutTheRecord(failure)) {
                guilty.put(shipment, result(shipment, failure));
            }
        });
        try {
            producer.abortTransaction();
        } catch (KafkaException e) {
            // The next term aborts it. What failed by itself is told, so that the relay knows why nothing moves.
            answer(tried, List.of(), guilty);
            throw e;
        }
        if (guilty.isEmpty()) {
            throw new KafkaException(
                    "The producer failed: " + failures.values().iterator().next());
        }
        failed.putAll(guilty);
    }

    private static boolean isAboutTheRecord(Exception failure) {
        return !(failure instanceof TransactionAbortedException)
                && !(failure instanceof TransactionalIdAuthorizationException)
                && !(failure instanceof ClusterAuthorizationException)
                && !Failures.breaksTheProducer(failure);
    }

    private DeliveryResult result(Shipment shipment, Exception failure) {
        if (failure instanceof TimeoutException || failure instanceof UnknownTopicOrPartitionException) {
            topics.forget(config.topicOf(shipment.delivery().event().destination()));
            return DeliveryResult.unavailable(Failures.text(failure));
        }
        return Failures.result(failure);
    }

    /** Those that are not behind a failed one of their key, nor failed themselves. */
    private static List<Shipment> leaveOutBehind(Map<Shipment, DeliveryResult> failed, List<Shipment> shipments) {
        Set<Line> cut = new HashSet<>();
        List<Shipment> left = new ArrayList<>(shipments.size());
        for (Shipment shipment : shipments) {
            Line line = Line.of(shipment);
            if (failed.containsKey(shipment)) {
                if (line != null) {
                    cut.add(line);
                }
            } else if (line == null || !cut.contains(line)) {
                left.add(shipment);
            }
        }
        return left;
    }

    /** In the order of the batch: of each key what was committed, then the first that failed, and nothing behind that. */
    private static void answer(List<Shipment> batch, List<Shipment> committed, Map<Shipment, DeliveryResult> failed) {
        Set<Shipment> arrived = new HashSet<>(committed);
        Set<Line> cut = new HashSet<>();
        for (Shipment shipment : batch) {
            Line line = Line.of(shipment);
            DeliveryResult failure = failed.get(shipment);
            if (arrived.contains(shipment)) {
                shipment.answer(DeliveryResult.delivered());
            } else if (line == null || cut.add(line)) {
                // One without either was neither committed nor at fault: what is behind it has no answer, like itself.
                if (failure != null) {
                    shipment.answer(failure);
                }
            }
        }
    }

    /** What the order is kept of; {@code null} for an event without a key. */
    private record Line(String destination, String key) {
        static @Nullable Line of(Shipment shipment) {
            Event event = shipment.delivery().event();
            String key = event.key();
            return key == null ? null : new Line(event.destination(), key);
        }
    }

    /** A shipment that cannot join a transaction. */
    private static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient DeliveryResult result;

        RefusedException(DeliveryResult result) {
            super(result.toString(), null, false, false);
            this.result = result;
        }
    }
}
