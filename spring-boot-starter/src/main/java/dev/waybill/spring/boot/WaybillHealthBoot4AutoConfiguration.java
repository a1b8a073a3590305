package dev.waybill.spring.boot;

import dev.waybill.spring.actuate.Boot4HealthIndicator;
import dev.waybill.spring.actuate.OutboxHealth;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health indicator of Spring Boot 4. Names no class of the other generation. */
@AutoConfiguration(
        after = WaybillHealthAutoConfiguration.class,
        beforeName = "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration")
@ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
@ConditionalOnBean(OutboxHealth.class)
@ConditionalOnEnabledHealthIndicator("waybill")
public class WaybillHealthBoot4AutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "waybillHealthIndicator")
    Boot4HealthIndicator waybillHealthIndicator(OutboxHealth health) {
        return new Boot4HealthIndicator(health);
    }
}
