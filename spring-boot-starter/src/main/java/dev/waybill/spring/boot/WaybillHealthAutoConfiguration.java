package dev.waybill.spring.boot;

import dev.waybill.spring.actuate.HealthLimits;
import dev.waybill.spring.actuate.OutboxHealth;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Relays;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The health of the outboxes; each generation of Spring Boot has an indicator of its own for it. */
@AutoConfiguration(after = WaybillRelayAutoConfiguration.class)
@ConditionalOnProperty(
        prefix = "waybill",
        name = {"enabled", "health.enabled"},
        havingValue = "true",
        matchIfMissing = true)
public class WaybillHealthAutoConfiguration {
    /** Longer than a healthy store takes to count, and short enough for whoever asks. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    @Bean
    @ConditionalOnMissingBean
    OutboxHealth waybillOutboxHealth(
            ObjectProvider<OutboxUnit> units,
            ObjectProvider<Relays> relays,
            ObjectProvider<Consumers> consumers,
            WaybillProperties properties) {
        HealthLimits limits = new HealthLimits(
                properties.health().oldestAge(),
                properties.health().deadLetters(),
                properties.relay().lease().multipliedBy(2),
                PATIENCE);
        return new OutboxHealth(new OutboxWatch(units, relays, consumers), limits);
    }
}
