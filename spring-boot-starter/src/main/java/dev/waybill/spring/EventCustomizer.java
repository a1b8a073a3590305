package dev.waybill.spring;

import dev.waybill.event.Event;

/** A bean that sees every event before it is published, for instance to add headers. Thread-safe; several in their order. */
@FunctionalInterface
public interface EventCustomizer {

    /** The event to publish in its place: with the same id, destination and key. */
    Event customize(Event event);
}
