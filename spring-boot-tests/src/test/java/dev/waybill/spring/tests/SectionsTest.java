package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.boot.WaybillProperties;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Values where a section of settings belongs. */
class SectionsTest {

    /** What a YAML file has whose lines below the name are all comments. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "waybill",
                "waybill.kafka",
                "waybill.relay",
                "waybill.consumers",
                "waybill.consumers.billing",
                "waybill.destinations",
                "waybill.destinations.orders",
                "waybill.destinations.orders.headers",
                "waybill.kafka.producer-properties",
                "waybill.resilience",
                "waybill.resilience.instances.mail.retry",
            })
    void anEmptySectionIsNone(String section) {
        LightApp.run(
                List.of(section + "="),
                app -> assertThat(app.context().getBean(WaybillProperties.class))
                        .hasNoNullFieldsOrProperties());
    }

    @Test
    void aValueInTheFilesIsNoSection() {
        assertThat(LightApp.failure("waybill.kafka=x")).hasMessageContaining("waybill.kafka");
        assertThat(LightApp.failure("waybill.relay.poll-interval=x")).isNotNull();
    }

    /** Somebody's own variable, such as the folder of the command line. */
    @ParameterizedTest
    @ValueSource(strings = {"WAYBILL", "WAYBILL_", "waybill"})
    void aVariableWithTheNameOfAllSettingsIsNone(String variable) {
        runWith(
                Map.of(variable, "/opt/waybill"),
                settings -> assertThat(settings).hasNoNullFieldsOrProperties());
        runWith(
                Map.of(variable, "/opt/waybill", "WAYBILL_RELAY_WINDOW", "77"),
                settings -> assertThat(settings.relay().window()).isEqualTo(77));
    }

    /** What Kubernetes sets for a service that is named like a section. */
    @ParameterizedTest
    @ValueSource(strings = {"CONSUMERS", "DESTINATIONS", "RESILIENCE_INSTANCES"})
    void aServiceOfTheClusterIsNoSetting(String section) {
        String service = "WAYBILL_" + section;
        Map<String, Object> variables = Map.of(
                service + "_SERVICE_HOST",
                "10.0.0.1",
                service + "_SERVICE_PORT",
                "80",
                service + "_SERVICE_PORT_HTTP",
                "80",
                service + "_PORT",
                "tcp://10.0.0.1:80",
                service + "_PORT_80_TCP",
                "tcp://10.0.0.1:80",
                service + "_PORT_80_TCP_PROTO",
                "tcp",
                service + "_PORT_80_TCP_PORT",
                "80",
                service + "_PORT_80_TCP_ADDR",
                "10.0.0.1",
                "WAYBILL_DESTINATIONS_ORDERS_TOPIC",
                "orders-eu");
        runWith(variables, settings -> {
            assertThat(settings.consumers()).isEmpty();
            assertThat(settings.resilience().instances()).isEmpty();
            assertThat(settings.destinations()).containsOnlyKeys("orders");
        });
    }

    private static void runWith(Map<String, Object> variables, Consumer<WaybillProperties> check) {
        LightApp.runner()
                .withUserConfiguration(LightApp.Jdbc.class)
                .withPropertyValues("test.url=" + Databases.h2())
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
                .run(context -> {
                    assertThat(context.getStartupFailure()).isNull();
                    check.accept(context.getBean(WaybillProperties.class));
                });
    }
}
