package dev.waybill.spring.boot;

import dev.waybill.spring.actuate.WaybillEndpoint;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Relays;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint, where it is exposed. */
@AutoConfiguration(after = WaybillRelayAutoConfiguration.class)
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnAvailableEndpoint(endpoint = WaybillEndpoint.class)
@ConditionalOnProperty(name = "waybill.enabled", havingValue = "true", matchIfMissing = true)
public class WaybillEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    WaybillEndpoint waybillEndpoint(
            ObjectProvider<OutboxUnit> units,
            ObjectProvider<Relays> relays,
            ObjectProvider<Consumers> consumers,
            WaybillProperties properties) {
        return new WaybillEndpoint(
                new OutboxWatch(units, relays, consumers), properties.endpoint().writable());
    }
}
