package dev.waybill.spring.boot;

import dev.waybill.spring.tracing.TraceHeaders;
import dev.waybill.spring.tracing.TracedDeliveries;
import dev.waybill.spring.tracing.TracedHandlers;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** One trace from the request that publishes to the handler that consumes, where the application traces at all. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
        })
@ConditionalOnClass(
        name = {"io.micrometer.observation.ObservationRegistry", "io.micrometer.tracing.propagation.Propagator"})
@ConditionalOnBean(
        type = {
            "io.micrometer.observation.ObservationRegistry",
            "io.micrometer.tracing.Tracer",
            "io.micrometer.tracing.propagation.Propagator"
        })
@ConditionalOnProperty(
        prefix = "waybill",
        name = {"enabled", "tracing.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(WaybillProperties.class)
public class WaybillTracingAutoConfiguration {

    /** After customizers of the application, which may bring a context of their own. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    @ConditionalOnMissingBean
    TraceHeaders waybillTraceHeaders(Tracer tracer, Propagator propagator) {
        return new TraceHeaders(tracer, propagator);
    }

    /** Around what others put around a transport, so that it sees what they do. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    @ConditionalOnMissingBean
    TracedDeliveries waybillTracedDeliveries(
            ObservationRegistry registry, Propagator propagator, WaybillProperties properties) {
        return new TracedDeliveries(registry, propagator, properties.relay().deliveryTimeout());
    }

    /** Around all other interceptors, so that what they do and log belongs to the trace. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    @ConditionalOnMissingBean
    TracedHandlers waybillTracedHandlers(ObservationRegistry registry) {
        return new TracedHandlers(registry);
    }
}
