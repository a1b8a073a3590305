package dev.waybill.chaos.check;

import dev.waybill.chaos.journal.WrittenTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * When events were committed, arrived and took effect: by first records and first effects. Immutable.
 *
 * @param deliveries by shard, from commit to topic
 * @param effects    by partition, from topic to effect
 */
public record Flow(List<Passage> deliveries, List<Passage> effects) {
    public Flow {
        deliveries = List.copyOf(deliveries);
        effects = List.copyOf(effects);
    }

    static Flow of(Map<UUID, WrittenTransaction> committed, List<Arrival> records, List<Arrival> allEffects) {
        Map<UUID, Arrival> firsts = new HashMap<>();
        List<Passage> deliveries = new ArrayList<>();
        for (Arrival arrival : records) {
            WrittenTransaction transaction = committed.get(arrival.id());
            if (firsts.putIfAbsent(arrival.id(), arrival) == null && transaction != null) {
                deliveries.add(passage("shard " + arrival.shard(), transaction.endedMillis(), arrival.millis()));
            }
        }
        Set<UUID> seen = new HashSet<>();
        List<Passage> effects = new ArrayList<>();
        for (Arrival effect : allEffects) {
            Arrival first = firsts.get(effect.id());
            if (first != null && seen.add(effect.id())) {
                effects.add(passage(first.partition(), first.millis(), effect.millis()));
            }
        }
        return new Flow(deliveries, effects);
    }

    /** A commit may return after its event has arrived, or never: then the arrival is the first that is known. */
    private static Passage passage(String lane, long available, long done) {
        return new Passage(lane, Math.min(available, done), done);
    }
}
