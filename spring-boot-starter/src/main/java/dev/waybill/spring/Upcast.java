package dev.waybill.spring;

import dev.waybill.event.Upcaster;

/**
 * A bean that brings events of an older version to the next one, for all handlers of the application. Immutable.
 *
 * @param type        the name of the event's type
 * @param fromVersion the older version
 * @param upcaster    makes the next version of it
 */
public record Upcast(String type, int fromVersion, Upcaster upcaster) {}
