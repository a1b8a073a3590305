package dev.waybill.testkit.sim;

import dev.waybill.transport.Delivery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** What stands between relays and consumers: a log in partitions, those of a key in one of them. Not thread-safe. */
final class SourceLog {
    private static final int PARTITIONS = 2;
    private static final int MOST_REPLAYED = 6;

    /** A part of the log, whose order counts. */
    record Partition(String destination, int number) {
        @Override
        public String toString() {
            return destination + "-" + number;
        }
    }

    private final Map<Partition, List<Delivery>> records = new LinkedHashMap<>();
    private int generation;

    SourceLog(List<Scenario.Destination> destinations) {
        for (Scenario.Destination destination : destinations) {
            for (int number = 0; number < PARTITIONS; number++) {
                records.put(new Partition(destination.name(), number), new ArrayList<>());
            }
        }
    }

    List<Partition> partitions() {
        return List.copyOf(records.keySet());
    }

    List<Delivery> records(Partition partition) {
        return Objects.requireNonNull(records.get(partition));
    }

    /** Returns where it went. */
    Partition append(Delivery delivery) {
        String key = delivery.event().key();
        int hash = key == null ? delivery.event().id().hashCode() : key.hashCode();
        Partition partition = new Partition(delivery.event().destination(), Math.floorMod(hash, PARTITIONS));
        records(partition).add(delivery);
        return partition;
    }

    /** Some of a partition once more, in order, as a replay would bring it. */
    List<Delivery> replay(Partition partition, Dice dice) {
        List<Delivery> all = records(partition);
        Map<UUID, Delivery> copies = new LinkedHashMap<>();
        if (!all.isEmpty()) {
            generation++;
            int from = dice.between(0, all.size() - 1);
            for (Delivery old : all.subList(from, Math.min(all.size(), from + MOST_REPLAYED))) {
                copies.putIfAbsent(
                        old.event().id(), new Delivery(old.event(), old.sequence(), 1, generation, old.sendId()));
            }
        }
        return List.copyOf(copies.values());
    }
}
