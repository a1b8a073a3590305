package dev.waybill.event;

import java.util.function.UnaryOperator;

/** Turns an event of one version of its type into one of the next version. Thread-safe, and always the same for the same event. */
@FunctionalInterface
public interface Upcaster {

    /** The event in the next version: with the same id, destination, key and type. */
    Event upcast(Event older);

    /** Changes nothing but the payload. */
    static Upcaster ofPayload(UnaryOperator<byte[]> change) {
        return older -> older.inVersion(
                older.version() + 1, Payload.of(change.apply(older.payload().bytes())));
    }
}
