package dev.waybill.spring.outbox;

import dev.waybill.event.Event;
import dev.waybill.event.EventTypes;
import dev.waybill.event.PayloadCodec;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.EventType;
import dev.waybill.spring.PublishedEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Makes events of the application's values, as their classes and the settings say. Thread-safe. */
public final class EventMaker {

    /**
     * What the settings say about a destination. Immutable.
     *
     * @param key     a SpEL expression on the value, for classes that name no key; empty: none
     * @param headers for events that do not have them
     */
    public record Destination(String key, Map<String, String> headers) {
        public Destination {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * What a class says about its values.
     *
     * @param destination where they go; {@code null}: it does not say
     * @param key         what order is kept for; {@code null}: it does not say
     */
    private record Description(
            EventTypes types,
            @Nullable String destination,
            @Nullable KeyExpression key) {}

    private final PayloadCodec codec;
    private final UnaryOperator<String> placeholders;
    private final Map<String, Destination> destinations;
    private final Map<String, KeyExpression> keys = new HashMap<>();
    private final Supplier<List<EventCustomizer>> customizers;
    private final Map<Class<?>, Description> descriptions = new ConcurrentHashMap<>();

    /**
     * Makes events.
     *
     * @param placeholders resolves settings in the names of destinations
     * @param destinations what the settings say about some of them
     * @param customizers  asked for every event, because they may need beans that publish themselves
     */
    public EventMaker(
            PayloadCodec codec,
            UnaryOperator<String> placeholders,
            Map<String, Destination> destinations,
            Supplier<List<EventCustomizer>> customizers) {
        this.codec = codec;
        this.placeholders = placeholders;
        this.destinations = Map.copyOf(destinations);
        this.customizers = customizers;
        destinations.forEach((name, destination) -> {
            if (!destination.key.isEmpty()) {
                keys.put(name, new KeyExpression(destination.key, "waybill.destinations." + name + ".key"));
            }
        });
    }

    /** Makes an event of a value whose class says where it goes. */
    public Event event(Object value) {
        Description description = describe(value.getClass());
        String destination = description.destination;
        if (destination == null) {
            throw new IllegalArgumentException(
                    value.getClass().getName() + " does not say where its values go. Annotate"
                            + " it with @PublishedEvent(destination = \"...\"), or call publish(destination, key, value).");
        }
        return event(description, destination, null, value);
    }

    /** Makes an event of a value for a destination; without a key, the one that its class or the settings name. */
    public Event event(String destination, @Nullable String key, Object value) {
        return event(describe(value.getClass()), destination, key, value);
    }

    private Event event(Description description, String destination, @Nullable String given, Object value) {
        Event.Builder event = description.types.event(destination, value);
        KeyExpression expression = description.key == null ? keys.get(destination) : description.key;
        if (given != null) {
            event.key(given);
        } else if (expression != null) {
            event.key(expression.of(value));
        }
        return event.build();
    }

    /** Adds what settings and beans want to see in every event. */
    Event prepare(Event event) {
        Event prepared = withHeaders(event);
        for (EventCustomizer customizer : customizers.get()) {
            prepared = customizer.customize(prepared);
            if (!prepared.id().equals(event.id())
                    || !prepared.destination().equals(event.destination())
                    || !Objects.equals(prepared.key(), event.key())) {
                throw new IllegalStateException(customizer.getClass().getName() + " made another event of " + event.id()
                        + ". An EventCustomizer has to keep id, destination and key.");
            }
        }
        return prepared;
    }

    private Event withHeaders(Event event) {
        Destination destination = destinations.get(event.destination());
        if (destination == null || destination.headers.isEmpty()) {
            return event;
        }
        Map<String, String> missing = new HashMap<>(destination.headers);
        missing.keySet().removeAll(event.headers().keySet());
        return event.withHeaders(missing);
    }

    private Description describe(Class<?> valueClass) {
        return descriptions.computeIfAbsent(valueClass, this::read);
    }

    private Description read(Class<?> valueClass) {
        EventType type = EventType.of(valueClass);
        EventTypes types = EventTypes.builder()
                .register(type.name(), type.version(), valueClass, codec)
                .build();
        PublishedEvent published = AnnotatedElementUtils.findMergedAnnotation(valueClass, PublishedEvent.class);
        if (published == null) {
            return new Description(types, null, null);
        }
        KeyExpression key = published.key().isEmpty()
                ? null
                : new KeyExpression(published.key(), "@PublishedEvent of " + valueClass.getName());
        return new Description(types, placeholders.apply(published.destination()), key);
    }
}
