package dev.waybill.spring.boot;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class UnknownSettingsTest {

    @ParameterizedTest
    @CsvSource({
        "waybill.outbx.enabled, waybill.outbox.enabled",
        "waybill.enabeld, waybill.enabled",
        "waybill.outbox.poll-interval, waybill.relay.poll-interval",
        "waybill.outbox.pollInterval, waybill.relay.poll-interval",
        "waybill.store.pool-sise, waybill.store.pool-size",
        "waybill.destinations.orders.topc, waybill.destinations.orders.topic",
        "waybill.destinations.[orders.eu].topc, waybill.destinations.[orders.eu].topic",
        "waybill.destinations.orders.eu.topic, waybill.destinations.[orders.eu].topic",
        "waybill.resilience.instances.mail.breaker.opentimes, waybill.resilience.instances.mail.breaker.open-time",
        "waybill.data-source[0], waybill.data-sources",
        "waybill.enabled.really, waybill.enabled",
    })
    void aNameThatIsNoSettingIsRefusedWithTheNearestOne(String given, String suggested) {
        assertThatThrownBy(() -> check(given))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining(": did you mean " + suggested + "?");
    }

    @Test
    void aNameTakesOneLine() {
        assertThatThrownBy(() -> check("waybill.destinations.[a\nERROR forged].topc"))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("[a\\nERROR forged].topc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "waybill.enabled",
                "waybill.dataSources",
                "waybill.data-sources[1]",
                "waybill.outbox.max-payload-size",
                "waybill.outbox.maxPayloadSize",
                "waybill.outbox.max_payload_size",
                "waybill.destinations.orders.dead-letters",
                "waybill.destinations.[orders.eu].topic",
                "waybill.destinations.orders.headers.x.y",
                "waybill.consumers.Billing.max-attempts",
                "waybill.kafka.producer-properties.security.protocol",
                "waybill.kafka.producer-properties.[security.protocol]",
                "waybill.resilience.instances.mail.retry.jitter",
                "waybillish.foo",
                "my.waybill.foo",
            })
    void everySpellingOfASettingIsAllowed(String given) {
        assertThatCode(() -> check(given)).doesNotThrowAnyException();
    }

    @Test
    void allOfThemAreNamedWithTheirOrigin() {
        StandardEnvironment environment = empty();
        environment.getPropertySources().addLast(new MapPropertySource("first", Map.of("waybill.outbx.enabled", "x")));
        environment.getPropertySources().addLast(new MapPropertySource("second", Map.of("waybill.zzz", "x")));
        assertThatThrownBy(() -> new UnknownSettings().check(environment))
                .hasMessageContainingAll("waybill.outbx.enabled", "first", "waybill.zzz", "second");
    }

    @ParameterizedTest
    @CsvSource({
        "WAYBILL_OUTBX_ENABLED, waybill.outbox.enabled",
        "WAYBILL_OUTBOX_POLL_INTERVAL, waybill.relay.poll-interval",
        "WAYBILL_RELAY_TABLE_PREFIX, waybill.store.table-prefix",
    })
    void aVariableThatLooksLikeASettingIsRefused(String given, String suggested) {
        assertThatThrownBy(() -> checkVariable(given))
                .hasMessageContaining(given)
                .hasMessageContaining("did you mean");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WAYBILL_OUTBOX_ENABLED",
                "WAYBILL_OUTBOX_MAXPAYLOADSIZE",
                "WAYBILL_OUTBOX_MAX_PAYLOAD_SIZE",
                "WAYBILL_DATASOURCES_0",
                "WAYBILL_DESTINATIONS_ORDERS_TOPIC",
                "WAYBILL_KAFKA_PRODUCERPROPERTIES_LINGER_MS",
            })
    void aVariableThatIsASettingIsAllowed(String given) {
        assertThatCode(() -> checkVariable(given)).doesNotThrowAnyException();
    }

    /** Those of Waybill's command line, and what Kubernetes sets for services named waybill and waybill-relay. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "WAYBILL_DATABASE",
                "WAYBILL_USER",
                "WAYBILL_PASSWORD",
                "WAYBILL_SCHEMA",
                "WAYBILL_PREFIX",
                "WAYBILL_PORT",
                "WAYBILL_SERVICE_HOST",
                "WAYBILL_SERVICE_PORT",
                "WAYBILL_PORT_8080_TCP_ADDR",
                "WAYBILL_RELAY_SERVICE_HOST",
                "WAYBILL_RELAY_PORT",
                "WAYBILL_RELAY_PORT_8080_TCP_PROTO",
            })
    void variablesOfOthersAreLeftAlone(String given) {
        assertThatCode(() -> checkVariable(given)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"waybill.kafka", "waybill.destinations.orders", "waybill.resilience.instances"})
    void aSectionIsAllowedIfItIsEmpty(String section) {
        StandardEnvironment environment = empty();
        environment.getPropertySources().addLast(new MapPropertySource("test", Map.of(section, "")));
        assertThatCode(() -> new UnknownSettings().check(environment)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(section)).hasMessageContaining(section);
    }

    private static void check(String name) {
        StandardEnvironment environment = empty();
        environment.getPropertySources().addLast(new MapPropertySource("test", Map.of(name, "x")));
        new UnknownSettings().check(environment);
    }

    private static void checkVariable(String name) {
        StandardEnvironment environment = empty();
        environment.getPropertySources().addLast(new SystemEnvironmentPropertySource("variables", Map.of(name, "x")));
        new UnknownSettings().check(environment);
    }

    private static StandardEnvironment empty() {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().stream()
                .map(source -> source.getName())
                .toList()
                .forEach(environment.getPropertySources()::remove);
        return environment;
    }
}
