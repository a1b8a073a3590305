package dev.waybill.transport.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics, hands the records to a {@link Crew}, and commits how far it has come.
 *
 * <p>Kafka's consumer is owned by the thread that runs this: it alone opens, polls, commits and closes it. It polls all the
 * time, with paused partitions while there is no room, so that a slow handler does not make the group expel us.
 */
final class PollLoop implements Runnable, ConsumerRebalanceListener {
    private static final Logger log = LoggerFactory.getLogger(PollLoop.class);
    private static final Duration LONGEST_POLL = Duration.ofMillis(100);
    private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(1);
    private static final Duration REOPEN_AFTER = Duration.ofSeconds(1);
    /** How long a commit may take before partitions are given away, and the farewell to the group. */
    static final Duration LONGEST_COMMIT = Duration.ofSeconds(5);

    private final KafkaConsumerConfig config;
    private final String groupId;
    private final String name;
    private final Crew crew;
    private @Nullable KafkaConsumer<byte[], byte[]> kafka;
    private long lastCommit = System.nanoTime();
    /** Whether a failure was logged, and nothing was read since. */
    private boolean troubled;

    private volatile boolean closing;
    private volatile long lag;

    PollLoop(KafkaConsumerConfig config, String groupId, String name, Crew crew) {
        this.config = config;
        this.groupId = groupId;
        this.name = name;
        this.crew = crew;
    }

    /** Ends the loop soon; from any thread. */
    void close() {
        closing = true;
    }

    /** Records of our partitions that were not read yet, as of a second ago; from any thread. */
    long lag() {
        return lag;
    }

    @Override
    public void run() {
        while (!closing) {
            try {
                step(open());
            } catch (RetriableException e) {
                tell(e);
                pass(LONGEST_POLL);
            } catch (RuntimeException | Error e) {
                tell(e);
                abandon();
                pass(REOPEN_AFTER);
            }
        }
        end();
    }

    private KafkaConsumer<byte[], byte[]> open() {
        KafkaConsumer<byte[], byte[]> current = kafka;
        if (current == null) {
            current = new KafkaConsumer<>(ConsumerSettings.consumer(config, groupId));
            kafka = current;
            current.subscribe(config.topics(), this);
        }
        return current;
    }

    private void step(KafkaConsumer<byte[], byte[]> open) {
        boolean room = crew.hasRoom();
        if (room) {
            open.resume(open.paused());
        } else {
            open.pause(open.assignment());
        }
        ConsumerRecords<byte[], byte[]> records = open.poll(room ? LONGEST_POLL : Duration.ZERO);
        if (!records.isEmpty()) {
            troubled = false;
            List<Arrival> arrivals = new ArrayList<>(records.count());
            records.forEach(record -> arrivals.add(Intake.read(record)));
            crew.add(arrivals);
        }
        long now = System.nanoTime();
        if (now - lastCommit >= COMMIT_INTERVAL.toNanos()) {
            lastCommit = now;
            commit(open);
            lag = open.assignment().stream()
                    .mapToLong(partition -> open.currentLag(partition).orElse(0))
                    .sum();
        }
        if (!room) {
            crew.awaitRoom(LONGEST_POLL);
        }
    }

    /** A commit that fails is made up for by a later one. */
    private void commit(KafkaConsumer<byte[], byte[]> open) {
        Map<TopicPartition, Long> positions = crew.uncommitted(open.assignment());
        if (positions.isEmpty()) {
            return;
        }
        open.commitAsync(offsets(positions), (offsets, failure) -> {
            if (failure == null) {
                crew.change(state -> state.committed(positions));
            } else {
                log.debug("Consumer {} could not commit its offsets, and tries again: {}", name, failure.toString());
            }
        });
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        log.info("Consumer {} reads {}", name, sorted(partitions));
        troubled = false;
        crew.change(state -> state.assigned(partitions));
        if (kafka != null && !crew.hasRoom()) {
            kafka.pause(partitions);
        }
    }

    /** The next owner begins where this one ends, so what is in hand is waited for, but not for ever. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        log.info("Consumer {} gives {} away", name, sorted(partitions));
        giveAway(partitions);
    }

    private void giveAway(Collection<TopicPartition> partitions) {
        if (!crew.withdraw(partitions, config.patience())) {
            log.warn(
                    "A handler of consumer {} takes longer than {}; its event is delivered again, and takes effect once",
                    name,
                    config.patience());
        }
        Map<TopicPartition, Long> positions = crew.uncommitted(partitions);
        try {
            if (kafka != null && !positions.isEmpty()) {
                kafka.commitSync(offsets(positions), LONGEST_COMMIT);
            }
        } catch (KafkaException e) {
            log.warn(
                    "Consumer {} could not commit its last offsets; some events come again, and take effect once: {}",
                    name,
                    e.toString());
        }
        crew.change(state -> state.forget(partitions));
    }

    /** They are another one's already: a commit would be refused. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        log.warn("Consumer {} has lost {} to its group", name, sorted(partitions));
        crew.change(state -> state.forget(partitions));
    }

    /** Begins anew with the committed offsets. */
    private void abandon() {
        crew.change(state -> state.forget(state.partitions()));
        KafkaConsumer<byte[], byte[]> broken = kafka;
        kafka = null;
        close(broken, Duration.ZERO);
    }

    private void end() {
        crew.stop();
        try {
            giveAway(crew.ask(Dispatch::partitions));
        } catch (RuntimeException e) {
            log.warn(
                    "Consumer {} does not end in an orderly way; some events come again, and take effect once",
                    name,
                    e);
        }
        close(kafka, LONGEST_COMMIT);
        kafka = null;
        log.info("Consumer {} has ended", name);
    }

    private void close(@Nullable KafkaConsumer<byte[], byte[]> open, Duration atMost) {
        try {
            if (open != null) {
                open.close(CloseOptions.timeout(atMost));
            }
        } catch (RuntimeException e) {
            log.debug("Kafka's consumer of {} did not close in an orderly way", name, e);
        }
    }

    private void tell(Throwable failure) {
        // Kafka's client does nothing any more while it is set.
        Thread.interrupted();
        if (!troubled) {
            troubled = true;
            log.warn("Consumer {} cannot read from Kafka, and tries again all the time", name, failure);
        }
    }

    /** Ends early when the loop is to end. */
    private void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (!closing && end - System.nanoTime() > 0) {
            java.util.concurrent.locks.LockSupport.parkNanos(LONGEST_POLL.toNanos());
        }
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(Map<TopicPartition, Long> positions) {
        return positions.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> new OffsetAndMetadata(entry.getValue())));
    }

    private static Collection<String> sorted(Collection<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::toString).collect(Collectors.toCollection(TreeSet::new));
    }
}
