package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.audit.Signature;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Relays;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The meters of docs/metrics.md on the application's own registry. */
class MetricsTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "metrics.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\|");
    private static final Pattern OURS = Pattern.compile("(outbox|inbox|idempotency)\\..*");

    @Configuration(proxyBeanMethods = false)
    static class TwoRegistries {
        @Bean
        MeterRegistry first() {
            return new SimpleMeterRegistry();
        }

        @Bean
        MeterRegistry second() {
            return new SimpleMeterRegistry();
        }
    }

    @Test
    void ofSeveralRegistriesWithoutAPrimaryOneAllCount() {
        LightApp.runner()
                .withUserConfiguration(LightApp.Jdbc.class, TwoRegistries.class)
                .withPropertyValues("test.url=" + Databases.h2())
                .run(context -> {
                    assertThat(context.getStartupFailure()).isNull();
                    LightApp app = new LightApp(context);
                    app.inTransaction(() -> app.outbox().publish("orders", "1", "x"));
                    assertThat(context.getBeansOfType(MeterRegistry.class).values())
                            .hasSize(2)
                            .allSatisfy(registry -> assertThat(registry.get("outbox.entries.written")
                                            .counter()
                                            .count())
                                    .isEqualTo(1));
                });
    }

    @Test
    void everyMeterOfTheDocumentIsInTheApplicationsRegistry() throws IOException {
        Set<String> documented = ROW.matcher(Files.readString(DOCUMENT))
                .results()
                .map(row -> row.group(1))
                // Those of Kafka come with its consumers.
                .filter(name -> !name.startsWith("inbox.kafka."))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).hasSizeGreaterThan(20);
        try (WebService service = WebService.start(Warehouse.class)) {
            Warehouse.Orders orders = service.bean(Warehouse.Orders.class);
            orders.place("1");
            await().until(() -> service.bean(Warehouse.Stock.class).reserved.contains("1"));
            // The backlog is sampled when a relay starts: there has to be one by then.
            service.bean(OutboxUnit.class)
                    .store()
                    .operations()
                    .pauseDestination("orders", Signature.of("test", "to have a backlog"));
            service.bean(Relays.class).stop();
            orders.place("2");
            service.bean(Relays.class).start();

            MeterRegistry registry = service.bean(MeterRegistry.class);
            await().untilAsserted(() -> assertThat(ours(registry)).containsAll(documented));
            assertThat(registry.get("outbox.entries.delivered")
                            .tag("destination", "orders")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("outbox.entries.pending")
                            .tag("destination", "orders")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(registry.get("inbox.events")
                            .tags("consumer", "stock", "result", "handled")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(service.get("/actuator/metrics/outbox.entries.delivered").body())
                    .contains("orders");
        }
    }

    @Test
    @Setting("waybill.metrics.enabled")
    void countingCanBeSwitchedOff() {
        try (WebService service = WebService.start(Warehouse.class, "waybill.metrics.enabled=false")) {
            service.bean(Warehouse.Orders.class).place("1");
            await().until(() -> service.bean(Warehouse.Stock.class).reserved.contains("1"));

            assertThat(ours(service.bean(MeterRegistry.class))).isEmpty();
        }
    }

    private static Set<String> ours(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .filter(name -> OURS.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
