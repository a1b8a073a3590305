package dev.waybill.spring.tests.example;

import dev.waybill.event.Upcaster;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.RouteCustomizer;
import dev.waybill.spring.Upcast;
import dev.waybill.testkit.transport.RecordingTransport;
import dev.waybill.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Orders.class, Stock.class})
class ShopConfiguration {

    // transport
    @Bean
    Transport audit() {
        return new RecordingTransport();
    }

    @Bean
    RouteCustomizer routes() {
        return (destination, route) -> destination.equals("audit")
                ? route.withRetry(
                        route.retry().withMaxAttempts(3).withBackoff(Duration.ofMillis(10), Duration.ofSeconds(1)))
                : route;
    }
    // end

    // upcaster
    @Bean
    Upcast orderPlacedHasACurrency() {
        return new Upcast("OrderPlaced", 1, Upcaster.ofPayload(ShopConfiguration::addCurrency));
    }
    // end

    // customizer
    @Bean
    EventCustomizer tenant() {
        return event -> event.withHeaders(Map.of("tenant", "blue"));
    }
    // end

    private static byte[] addCurrency(byte[] json) {
        return new String(json, StandardCharsets.UTF_8)
                .replace("}", ",\"currency\":\"EUR\"}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
