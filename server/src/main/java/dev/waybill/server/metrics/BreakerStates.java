package dev.waybill.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What circuit breakers say about themselves through their meters. */
public final class BreakerStates {
    private static final String METER = "resilience4j.circuitbreaker.state";

    private BreakerStates() {}

    /** The state of a consumer's breaker in words; one that was never asked is closed. */
    public static String of(String consumer, MeterRegistry registry) {
        return registry.find(METER).tag("name", consumer).gauges().stream()
                .filter(gauge -> gauge.value() == 1)
                .map(BreakerStates::state)
                .findFirst()
                .orElse("closed");
    }

    private static String state(Gauge gauge) {
        return String.valueOf(gauge.getId().getTag("state")).replace('_', ' ');
    }
}
