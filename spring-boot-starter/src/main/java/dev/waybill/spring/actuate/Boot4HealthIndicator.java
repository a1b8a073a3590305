package dev.waybill.spring.actuate;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health as Spring Boot 4 asks for it. Thread-safe. */
public final class Boot4HealthIndicator implements HealthIndicator {
    private final OutboxHealth health;

    public Boot4HealthIndicator(OutboxHealth health) {
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
