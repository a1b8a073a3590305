package dev.waybill.spring.inbox;

import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How the consumers of an application work. Immutable.
 *
 * @param enabled   whether methods with the annotation are looked for
 * @param otherwise what holds for consumers that are not named
 * @param named     what holds for some
 * @param check     is told the names of all consumers that were found, and throws if there should be others
 */
public record ConsumerPlan(
        boolean enabled, ConsumerSettings otherwise, Map<String, ConsumerSettings> named, Consumer<Set<String>> check) {

    public ConsumerPlan {
        named = Map.copyOf(named);
    }

    ConsumerSettings of(String consumer) {
        return named.getOrDefault(consumer, otherwise);
    }
}
