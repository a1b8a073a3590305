package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Receipt.Kind;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random steps against a model: a topic of three partitions, an inbox that remembers what it took, and a group that commits,
 * takes partitions away and gives them back. In the end all was taken, nothing of a key before what is ahead of it, and no
 * commit passed what nobody had taken.
 */
class DispatchModelTest {
    private static final int RECORDS = 60;
    private static final int KEYS = 6;

    static List<Long> seeds() {
        return new Random(42).longs(300).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everythingIsTakenOnceInOrderAndCommitsPassNothing(long seed) {
        new Run(new Random(seed)).run();
    }

    private static final class Run {
        final Random random;
        final DispatchRig rig;
        final Dispatch dispatch;
        final Map<TopicPartition, List<Arrival>> log = new HashMap<>();
        final Map<TopicPartition, Integer> position = new HashMap<>();
        final Map<TopicPartition, Long> committed = new HashMap<>();
        final Set<Arrival> taken = new HashSet<>();
        final List<Task> inHand = new ArrayList<>();
        final Set<TopicPartition> mine = new HashSet<>();

        Run(Random random) {
            this.random = random;
            rig = new DispatchRig(1 + random.nextInt(5), 10 + random.nextInt(20), 1 + random.nextInt(5));
            dispatch = rig.dispatch;
            for (int p = 0; p < 3; p++) {
                TopicPartition partition = new TopicPartition("orders", p);
                List<Arrival> records = new ArrayList<>();
                for (int offset = 0; offset < RECORDS; offset++) {
                    // A key has one partition, as in Kafka.
                    String key = random.nextInt(10) == 0 ? "" : "k" + p + "-" + random.nextInt(KEYS);
                    records.add(DispatchRig.arrival(partition, key + "@" + offset));
                }
                log.put(partition, records);
                committed.put(partition, 0L);
            }
        }

        void run() {
            for (int step = 0; step < 2_000; step++) {
                step(random.nextInt(100));
                check();
            }
            for (TopicPartition partition : log.keySet()) {
                assign(partition);
            }
            for (int step = 0; taken.size() < 3 * RECORDS || dispatch.inFlight() > 0; step++) {
                assertThat(step).as("steps to the end").isLessThan(10_000);
                rig.advance(Duration.ofSeconds(5));
                log.keySet().forEach(this::read);
                take();
                if (!inHand.isEmpty()) {
                    answer(0);
                }
                check();
            }
            assertThat(dispatch.inHand()).isZero();
            commit(mine);
            assertThat(committed.values()).containsOnly((long) RECORDS);
        }

        void step(int dice) {
            TopicPartition partition = new TopicPartition("orders", random.nextInt(3));
            if (dice < 30) {
                read(partition);
            } else if (dice < 60) {
                take();
            } else if (dice < 85) {
                if (!inHand.isEmpty()) {
                    answer(random.nextInt(100));
                }
            } else if (dice < 92) {
                commit(mine);
            } else if (dice < 94) {
                assign(partition);
            } else if (dice < 96) {
                dispatch.withdraw(Set.of(partition));
                commit(Set.of(partition));
                lose(partition);
            } else if (dice < 97) {
                lose(partition);
            } else {
                rig.advance(Duration.ofMillis(random.nextInt(400)));
            }
        }

        void assign(TopicPartition partition) {
            if (mine.add(partition)) {
                dispatch.assigned(Set.of(partition));
                position.put(partition, committed.getOrDefault(partition, 0L).intValue());
            }
        }

        void lose(TopicPartition partition) {
            mine.remove(partition);
            dispatch.forget(Set.of(partition));
        }

        void read(TopicPartition partition) {
            if (mine.contains(partition) && dispatch.hasRoom(rig.now())) {
                int from = position.getOrDefault(partition, 0);
                int to = Math.min(RECORDS, from + 1);
                dispatch.add(records(partition).subList(from, to));
                position.put(partition, to);
            }
        }

        void take() {
            Task task = rig.take();
            if (task == null) {
                return;
            }
            if (task instanceof Task.Handling handling) {
                String key = key(handling);
                assertThat(inHand)
                        .filteredOn(
                                other -> other instanceof Task.Handling that && key != null && key.equals(key(that)))
                        .isEmpty();
            }
            inHand.add(task);
        }

        void answer(int dice) {
            Task task = inHand.remove(random.nextInt(inHand.size()));
            if (dice >= 95) {
                dispatch.failed(task, new StoreException("away", new IllegalStateException()), rig.now());
            } else if (task instanceof Task.Check check) {
                dispatch.checked(
                        check,
                        check.deliveries().stream()
                                .filter(delivery -> taken.stream()
                                        .noneMatch(had -> had.delivery().equals(delivery)))
                                .toList(),
                        rig.now());
            } else {
                handle((Task.Handling) task, dice);
            }
        }

        void handle(Task.Handling task, int dice) {
            Arrival arrival = task.item().arrival();
            if (dice >= 90) {
                rig.answer(task, Kind.BUSY, Duration.ofMillis(random.nextInt(300)));
            } else if (dice >= 85) {
                rig.answer(task, Kind.DEFERRED, Duration.ofMillis(random.nextInt(300)));
            } else if (taken.contains(arrival)) {
                rig.answer(task, Kind.DUPLICATE);
            } else {
                String key = key(task);
                assertThat(records(arrival.partition()))
                        .filteredOn(before -> key != null
                                && before.offset() < arrival.offset()
                                && key.equals(before.delivery().event().key()))
                        .as("what is ahead of %s", DispatchRig.name(task))
                        .allMatch(taken::contains);
                taken.add(arrival);
                rig.answer(task, dice % 2 == 0 ? Kind.HANDLED : Kind.ASIDE);
            }
        }

        void commit(Set<TopicPartition> partitions) {
            Map<TopicPartition, Long> positions = dispatch.uncommitted(partitions);
            positions.forEach((partition, offset) -> {
                assertThat(records(partition))
                        .filteredOn(arrival -> arrival.offset() < offset)
                        .as("what a commit of %s at %s passes", partition, offset)
                        .allMatch(taken::contains);
                assertThat(offset).isGreaterThanOrEqualTo(committed.getOrDefault(partition, 0L));
                committed.put(partition, offset);
            });
            dispatch.committed(positions);
        }

        void check() {
            assertThat(dispatch.inHand()).isEqualTo(inHand.size());
            assertThat(dispatch.inFlight()).isBetween(0, 30 + 3);
        }

        List<Arrival> records(TopicPartition partition) {
            return log.getOrDefault(partition, List.of());
        }

        private static @Nullable String key(Task.Handling task) {
            return task.item().arrival().delivery().event().key();
        }
    }
}
