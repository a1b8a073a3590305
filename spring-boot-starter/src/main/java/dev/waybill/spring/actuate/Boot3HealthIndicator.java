package dev.waybill.spring.actuate;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The health as Spring Boot 3 asks for it. Thread-safe. */
public final class Boot3HealthIndicator implements HealthIndicator {
    private final OutboxHealth health;

    public Boot3HealthIndicator(OutboxHealth health) {
        this.health = health;
    }

    @Override
    public Health health() {
        HealthReport report = health.check();
        return Health.status(report.status().name())
                .withDetails(report.details())
                .build();
    }
}
