package dev.waybill.event;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The registry of typed events: which class stands for which type name and version, and which codec writes it.
 *
 * <p>Immutable and thread-safe. What is not registered is an error on both sides, never a silent default.
 */
public final class EventTypes {
    private record NameAndVersion(String name, int version) {
        @Override
        public String toString() {
            return name + " v" + version;
        }
    }

    private record Registration<T>(NameAndVersion type, Class<T> valueClass, PayloadCodec codec) {}

    private final Map<NameAndVersion, Registration<?>> byType;
    private final Map<Class<?>, Registration<?>> byClass;

    private EventTypes(Builder builder) {
        byType = Map.copyOf(builder.byType);
        byClass = Map.copyOf(builder.byClass);
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts an event whose type, version, content type and payload come from a typed value.
     *
     * @throws UnknownEventTypeException if the value's class is not registered
     * @throws PayloadCodecException if the codec cannot encode the value
     */
    public Event.Builder event(String destination, Object value) {
        Registration<?> registration = byClass.get(value.getClass());
        if (registration == null) {
            throw new UnknownEventTypeException("No event type is registered for " + value.getClass()
                    + "; add it with EventTypes.builder().register(name, version, class, codec).");
        }
        return Event.to(destination)
                .type(registration.type.name)
                .version(registration.type.version)
                .contentType(registration.codec.contentType())
                .payload(encode(registration, value));
    }

    /**
     * The typed value of an event.
     *
     * @throws UnknownEventTypeException if its type and version are not registered
     * @throws PayloadCodecException if the codec cannot decode the payload
     */
    public Object decode(Event event) {
        NameAndVersion type = new NameAndVersion(event.type(), event.version());
        Registration<?> registration = byType.get(type);
        if (registration == null) {
            throw new UnknownEventTypeException("Event " + event.id() + " has type " + type
                    + ", which is not registered; known are " + new TreeSet<>(names()) + ".");
        }
        try {
            return registration.codec.decode(event.payload().bytes(), registration.valueClass);
        } catch (Exception e) {
            throw new PayloadCodecException(
                    "Event " + event.id() + " of type " + type + " could not be decoded as "
                            + registration.valueClass.getName() + ": " + e,
                    e);
        }
    }

    private java.util.List<String> names() {
        return byType.keySet().stream().map(NameAndVersion::toString).toList();
    }

    private static byte[] encode(Registration<?> registration, Object value) {
        try {
            return registration.codec.encode(value);
        } catch (Exception e) {
            throw new PayloadCodecException(
                    "A value of type " + registration.type + " ("
                            + value.getClass().getName() + ") could not be encoded: " + e,
                    e);
        }
    }

    /** Collects registrations; not thread-safe. */
    public static final class Builder {
        private final Map<NameAndVersion, Registration<?>> byType = new HashMap<>();
        private final Map<Class<?>, Registration<?>> byClass = new HashMap<>();

        private Builder() {}

        /** Registers a class for a type name and version; each class and each name + version only once. */
        public <T> Builder register(String name, int version, Class<T> valueClass, PayloadCodec codec) {
            EventRules.name("type", name);
            EventRules.version(version);
            NameAndVersion type = new NameAndVersion(name, version);
            Registration<T> registration = new Registration<>(type, valueClass, codec);
            if (byType.putIfAbsent(type, registration) != null) {
                throw new IllegalArgumentException("Event type " + type + " is registered twice.");
            }
            if (byClass.putIfAbsent(valueClass, registration) != null) {
                byType.remove(type);
                throw new IllegalArgumentException(valueClass + " is registered twice: as " + type + " and as "
                        + byClass.get(valueClass).type + ". Give each version a class of its own.");
            }
            return this;
        }

        public EventTypes build() {
            return new EventTypes(this);
        }
    }
}
