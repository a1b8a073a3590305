package dev.waybill.spring.actuate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the outboxes of an application are. Immutable.
 *
 * @param details of each outbox by name, for people
 */
public record HealthReport(Status status, Map<String, Object> details) {

    /** From good to bad. */
    public enum Status {
        UP,
        /** Somebody should look, but the application serves: no reason to take it out of service. */
        DEGRADED,
        /** A store does not answer. */
        DOWN;

        Status and(Status other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }

    public HealthReport {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
