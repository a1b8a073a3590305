package dev.waybill.transport.kafka;

import dev.waybill.transport.Delivery;
import java.util.List;

/** What a worker does next. Immutable for workers: they give it back to the {@link Dispatch} with what came of it. */
sealed interface Task {

    /** Lets the consumer take one record. */
    record Handling(Lane lane, Lane.Item item) implements Task {}

    /** Finds out which records the consumer had before. */
    record Check(List<Lane.Item> items) implements Task {
        List<Delivery> deliveries() {
            return items.stream().map(item -> item.arrival().delivery()).toList();
        }
    }
}
