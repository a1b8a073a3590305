package dev.waybill.spring.boot;

import dev.waybill.spring.actuate.Boot3HealthIndicator;
import dev.waybill.spring.actuate.OutboxHealth;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The health indicator of Spring Boot 3. Names no class of the other generation. */
@AutoConfiguration(
        after = WaybillHealthAutoConfiguration.class,
        beforeName = "org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration")
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
@ConditionalOnBean(OutboxHealth.class)
@ConditionalOnEnabledHealthIndicator("waybill")
public class WaybillHealthBoot3AutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "waybillHealthIndicator")
    Boot3HealthIndicator waybillHealthIndicator(OutboxHealth health) {
        return new Boot3HealthIndicator(health);
    }
}
