package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxLimitException;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.outbox.UnknownDestinationException;
import dev.waybill.spring.boot.SetupException;
import dev.waybill.spring.boot.WaybillAutoConfiguration;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.ConnectionCallback;

/** What each of the settings of publishing changes. */
class OutboxSettingsTest {

    private record Order(String orderId, String text) {}

    private static Event event() {
        return Event.to("orders").key("1").type("t").json("{}").build();
    }

    @Test
    @Setting("waybill.enabled")
    void aSwitchTurnsEverythingOff() {
        LightApp.run(
                List.of(),
                app -> assertThat(app.context().getBeansOfType(TypedOutbox.class))
                        .hasSize(1));
        LightApp.run(List.of("waybill.enabled=false"), app -> {
            assertThat(app.context().getBeansOfType(TypedOutbox.class)).isEmpty();
            assertThat(app.context().getBeansOfType(OutboxUnit.class)).isEmpty();
        });
        LightApp.runner()
                .withPropertyValues("waybill.enabled=false")
                .run(context -> assertThat(context.getStartupFailure()).isNull());
    }

    @Test
    @Setting("waybill.outbox.write")
    void eventsAreWrittenAtOnceForSavepointsThatSpringDoesNotKnow() {
        LightApp.run(List.of("waybill.outbox.write=at-once"), app -> {
            app.inTransaction(() -> {
                app.outbox().publish(event());
                assertThat(app.count("waybill_outbox")).isEqualTo(1);
                app.jdbc().execute((ConnectionCallback<Boolean>) connection -> {
                    var savepoint = connection.setSavepoint();
                    app.outbox().publish(event());
                    connection.rollback(savepoint);
                    return true;
                });
            });
            assertThat(app.count("waybill_outbox")).isEqualTo(1);
        });
        LightApp.run(
                List.of("waybill.outbox.write=before-commit"),
                app -> app.inTransaction(() -> {
                    app.outbox().publish(event());
                    assertThat(app.count("waybill_outbox")).isZero();
                }));
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.outbox.max-payload-size=20B, maxPayloadBytes",
        "waybill.outbox.max-headers=1, maxHeaders",
        "waybill.outbox.max-header-size=20B, maxHeaderBytes",
    })
    @Setting({"waybill.outbox.max-payload-size", "waybill.outbox.max-headers", "waybill.outbox.max-header-size"})
    void anEventBeyondALimitIsRefusedByTheCallThatPublishes(String setting, String limit) {
        Event large = Event.to("orders")
                .type("t")
                .json("{\"text\":\"larger than all limits\"}")
                .header("a", "larger than all limits")
                .header("b", "one more")
                .build();
        LightApp.run(
                List.of(setting),
                app -> app.inTransaction(() -> assertThatThrownBy(
                                () -> app.outbox().publish(large))
                        .isInstanceOfSatisfying(
                                OutboxLimitException.class,
                                e -> assertThat(e.limit()).isEqualTo(limit))));
        LightApp.run(List.of(), app -> assertThatCode(() -> app.publish(large)).doesNotThrowAnyException());
    }

    @Test
    @Setting("waybill.outbox.destinations")
    void otherDestinationsThanTheNamedOnesAreRefused() {
        LightApp.run(
                List.of("waybill.outbox.destinations=mails"),
                app -> assertThatThrownBy(() -> app.publish(event())).isInstanceOf(UnknownDestinationException.class));
        LightApp.run(
                List.of("waybill.outbox.destinations=mails,orders"),
                app -> assertThat(app.publish(event())).isNotNull());
    }

    @Test
    @Setting("waybill.outbox.strict-destinations")
    void overlappingTransactionsOfAStrictKeyWaitForEachOther() {
        String impatient = ";LOCK_TIMEOUT=100";
        List<String> strict = List.of("waybill.outbox.strict-destinations=orders", "waybill.outbox.write=at-once");
        LightApp.run(
                Databases.h2() + impatient,
                strict,
                app -> app.inTransaction(() -> {
                    app.outbox().publish(event());
                    assertThatThrownBy(() -> inAnotherThread(app)).hasCauseInstanceOf(StoreException.class);
                }));
        LightApp.run(
                Databases.h2() + impatient,
                List.of("waybill.outbox.write=at-once"),
                app -> app.inTransaction(() -> {
                    app.outbox().publish(event());
                    inAnotherThread(app);
                }));
    }

    private static void inAnotherThread(LightApp app) throws CompletionException {
        CompletableFuture.runAsync(() -> app.publish(event())).join();
    }

    @Test
    @Setting({"waybill.outbox.backlog-limit", "waybill.outbox.backlog-action"})
    void aBacklogBeyondTheLimitRefusesEventsOrWarns() {
        String url = Databases.h2();
        LightApp.run(url, List.of(), app -> {
            app.publish(event());
            app.publish(event());
        });
        LightApp.run(
                url,
                List.of("waybill.outbox.backlog-limit=1", "waybill.outbox.backlog-action=reject"),
                app -> assertThatThrownBy(() -> app.publish(event())).isInstanceOf(OutboxLimitException.class));
        LightApp.run(
                url,
                List.of("waybill.outbox.backlog-limit=1"),
                app -> assertThat(app.publish(event())).isNotNull());
        LightApp.run(
                url,
                List.of("waybill.outbox.backlog-limit=100", "waybill.outbox.backlog-action=reject"),
                app -> assertThat(app.publish(event())).isNotNull());
    }

    @Test
    @Setting({"waybill.destinations.*.key", "waybill.destinations.*.headers"})
    void aDestinationHasAKeyAndHeaders() {
        List<String> settings = List.of(
                "waybill.destinations.[orders.eu].key=orderId", "waybill.destinations.[orders.eu].headers.region=eu");
        LightApp.run(settings, app -> {
            app.inTransaction(() -> app.outbox().publish("orders.eu", null, new Order("o-1", "x")));
            assertThat(app.stored("event_key", String.class)).isEqualTo("o-1");
            assertThat(app.stored("headers", String.class)).contains("region", "eu");
        });
        LightApp.run(List.of(), app -> {
            app.inTransaction(() -> app.outbox().publish("orders.eu", null, new Order("o-1", "x")));
            assertThat(app.stored("event_key", String.class)).isNull();
            assertThat(app.stored("headers", String.class)).isNull();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.outbox.max-payload-size=-1B, waybill.outbox.max-payload-size",
        "waybill.outbox.max-payload-size=5GB, waybill.outbox.max-payload-size",
        "waybill.outbox.max-headers=0, waybill.outbox.max-headers",
        "waybill.outbox.max-header-size=0B, waybill.outbox.max-header-size",
        "waybill.outbox.backlog-limit=-1, waybill.outbox.backlog-limit",
        "waybill.store.schema=a b, waybill.store.schema",
        "waybill.store.table-prefix=1-, waybill.store.table-prefix",
        "waybill.store.statement-timeout=0s, waybill.store.statement-timeout",
        "waybill.store.statement-timeout=10s, less than waybill.relay.lease",
        "waybill.store.retention=-1s, waybill.store.retention",
        "waybill.store.compress-above=-1B, waybill.store.compress-above",
        "waybill.store.decided-retention=-1s, waybill.store.decided-retention",
        "waybill.store.max-replays=-1, waybill.store.max-replays",
        "waybill.store.pool-size=-1, waybill.store.pool-size",
        "waybill.outbx.enabled=true, did you mean waybill.outbox.enabled?",
        "waybill.data-sources=missing, [dataSource]",
    })
    void aValueThatIsNotPossibleFailsTheStartUnderItsName(String setting, String named) {
        assertThat(LightApp.failure(setting)).hasStackTraceContaining(named);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aMisspeltSettingIsExplainedWithoutAStackTrace(CapturedOutput output) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(
                        LightApp.Jdbc.class, WaybillAutoConfiguration.class)
                .web(WebApplicationType.NONE);
        assertThatThrownBy(() -> application.run("--test.url=" + Databases.h2(), "--waybill.outbx.enabled=true"))
                .isInstanceOf(SetupException.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "waybill.outbx.enabled", "commandLineArgs")
                .contains("did you mean waybill.outbox.enabled?", "docs/configuration.md");
    }

    @Test
    void payloadsAreJsonWithoutAnyMapperOfTheApplication() {
        LightApp.run(List.of(), app -> {
            app.inTransaction(() -> app.outbox().publish("orders", "k", new Order("1", "hällo")));
            assertThat(new String(Objects.requireNonNull(app.stored("payload", byte[].class)), StandardCharsets.UTF_8))
                    .isEqualTo("{\"orderId\":\"1\",\"text\":\"hällo\"}");
            assertThat(app.stored("content_type", String.class)).isEqualTo("application/json");
        });
    }
}
