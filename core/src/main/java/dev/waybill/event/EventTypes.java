package dev.waybill.event;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The registry of typed events: which class stands for which type name and version, and which codec writes it.
 *
 * <p>Immutable and thread-safe. What is not registered is an error on both sides, never a silent default.
 */
public final class EventTypes {
    private record NameAndVersion(String name, int version) {
        static NameAndVersion of(Event event) {
            return new NameAndVersion(event.type(), event.version());
        }

        @Override
        public String toString() {
            return name + " v" + version;
        }
    }

    private record Registration<T>(NameAndVersion type, Class<T> valueClass, PayloadCodec codec) {}

    private final Map<NameAndVersion, Registration<?>> byType;
    private final Map<Class<?>, Registration<?>> byClass;
    private final Map<NameAndVersion, Upcaster> upcasters;

    private EventTypes(Builder builder) {
        upcasters = Map.copyOf(builder.upcasters);
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
     * The event in the newest version that upcasters lead to; itself if there are none for it.
     *
     * @throws PayloadCodecException if an upcaster fails, or makes another event of it
     */
    public Event upcast(Event event) {
        Event newest = event;
        Upcaster upcaster = upcasters.get(NameAndVersion.of(newest));
        while (upcaster != null) {
            newest = next(newest, upcaster);
            upcaster = upcasters.get(NameAndVersion.of(newest));
        }
        return newest;
    }

    private static Event next(Event older, Upcaster upcaster) {
        String what = "Event " + older.id() + " of type " + NameAndVersion.of(older);
        Event newer;
        try {
            newer = upcaster.upcast(older);
        } catch (Exception e) {
            throw new PayloadCodecException(what + " could not be brought to the next version: " + e, e);
        }
        if (newer == null) {
            throw new PayloadCodecException(what + " became nothing by its upcaster.", null);
        }
        boolean same = newer.id().equals(older.id())
                && newer.destination().equals(older.destination())
                && Objects.equals(newer.key(), older.key())
                && newer.type().equals(older.type());
        if (!same || newer.version() != older.version() + 1) {
            throw new PayloadCodecException(
                    what + " became " + NameAndVersion.of(newer) + " with id " + newer.id()
                            + " by its upcaster; it must"
                            + " keep id, destination, key and type, and have the next version.",
                    null);
        }
        return newer;
    }

    /**
     * The typed value of an event, in the newest version that upcasters lead to.
     *
     * @throws UnknownEventTypeException if its type and version are not registered
     * @throws PayloadCodecException if the codec cannot decode the payload
     */
    public Object decode(Event stored) {
        Event event = upcast(stored);
        NameAndVersion type = NameAndVersion.of(event);
        Registration<?> registration = byType.get(type);
        if (registration == null) {
            throw new UnknownEventTypeException("Event " + event.id() + " has type " + type
                    + ", which is not registered; known are " + new TreeSet<>(names()) + ".");
        }
        String what = "Event " + event.id() + " of type " + type + " could not be decoded as "
                + registration.valueClass.getName() + ": ";
        Object value;
        try {
            value = registration.codec.decode(event.payload().bytes(), registration.valueClass);
        } catch (Exception e) {
            throw new PayloadCodecException(what + e, e);
        }
        if (value == null) {
            // As JSON's null is: no handler expects it, and another try would end alike.
            throw new PayloadCodecException(what + "its codec made nothing of it.", null);
        }
        return value;
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
        private final Map<NameAndVersion, Upcaster> upcasters = new HashMap<>();

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

        /** Registers a class for reading only, so that it may stand for several types, as one for any JSON does. */
        public <T> Builder read(String name, int version, Class<T> valueClass, PayloadCodec codec) {
            EventRules.name("type", name);
            EventRules.version(version);
            NameAndVersion type = new NameAndVersion(name, version);
            if (byType.putIfAbsent(type, new Registration<>(type, valueClass, codec)) != null) {
                throw new IllegalArgumentException("Event type " + type + " is registered twice.");
            }
            return this;
        }

        /** Brings events of an older version to the next one; each version of a type only once. */
        public Builder upcast(String name, int fromVersion, Upcaster upcaster) {
            EventRules.name("type", name);
            EventRules.version(fromVersion);
            NameAndVersion type = new NameAndVersion(name, fromVersion);
            if (upcasters.putIfAbsent(type, upcaster) != null) {
                throw new IllegalArgumentException("Event type " + type + " has an upcaster already.");
            }
            return this;
        }

        public EventTypes build() {
            return new EventTypes(this);
        }
    }
}
