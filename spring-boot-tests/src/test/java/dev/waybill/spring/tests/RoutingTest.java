package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.outbox.OutboxLimitException;
import dev.waybill.relay.Relay;
import dev.waybill.relay.Route;
import dev.waybill.spring.RouteCustomizer;
import dev.waybill.spring.TransportCustomizer;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Relays;
import dev.waybill.spring.relay.RouteTable;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.testkit.transport.RecordingTransport;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.SizeLimited;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutingTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        RecordingTransport ship() {
            return new RecordingTransport();
        }

        @Bean
        RecordingTransport truck() {
            return new RecordingTransport();
        }

        @Bean
        Van van() {
            return new Van(new RecordingTransport());
        }

        @Bean
        Refusing refusing() {
            return new Refusing();
        }

        @Bean
        Notes notes() {
            return new Notes(new ConcurrentLinkedQueue<>());
        }

        @Bean
        TransportCustomizer noting(Notes notes) {
            return (name, transport) -> name.equals("truck") ? new Noting(transport, notes) : transport;
        }

        @Bean
        RouteCustomizer express() {
            return (destination, route) -> destination.equals("express") ? route.withPriority(42) : route;
        }
    }

    /** Takes nothing. */
    static final class Refusing implements Transport {
        final Queue<Delivery> refused = new ConcurrentLinkedQueue<>();

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            for (Delivery delivery : batch) {
                refused.add(delivery);
                listener.onResult(delivery, DeliveryResult.retry("refused"));
            }
        }

        @Override
        public void close() {}
    }

    /** Takes nothing large. */
    record Van(RecordingTransport inside) implements Transport, SizeLimited {
        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            inside.send(batch, listener);
        }

        @Override
        public int maxPayloadBytes() {
            return 100;
        }

        @Override
        public void close() {}
    }

    /** The destinations of what a customizer saw. */
    record Notes(Queue<String> noted) {}

    /** What a customizer put around a transport. */
    static final class Noting implements Transport {
        private final Transport inner;
        private final Notes notes;

        Noting(Transport inner, Notes notes) {
            this.inner = inner;
            this.notes = notes;
        }

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            batch.forEach(delivery -> notes.noted().add(delivery.event().destination()));
            inner.send(batch, listener);
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private @Nullable RunningApp running;

    @BeforeAll
    void start() {
        running = RunningApp.onH2(
                App.class,
                "waybill.outbox.transport=ship",
                "waybill.relay.lease=3s",
                "waybill.store.statement-timeout=1s",
                "waybill.destinations.letters.transport=truck",
                "waybill.destinations.express.transport=truck",
                "waybill.destinations.gifts.transport=van",
                "waybill.destinations.parked.transport=refusing",
                "waybill.destinations.parked.max-attempts=2",
                "waybill.destinations.skipped.transport=refusing",
                "waybill.destinations.skipped.max-attempts=1",
                "waybill.destinations.skipped.dead-letters=skip",
                "waybill.destinations.limited.max-per-second=7",
                "waybill.destinations.urgent.priority=5",
                "waybill.destinations.held.paused=true");
    }

    @AfterAll
    void stop() {
        app().close();
    }

    private RunningApp app() {
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    private RecordingTransport transport(String name) {
        return app().context().getBean(name, RecordingTransport.class);
    }

    private Route route(String destination) {
        return app().bean(RouteTable.class).of(destination);
    }

    private void publish(String destination, String key) {
        app().publish(Event.to(destination)
                .type("note")
                .key(key)
                .payload(Payload.empty())
                .build());
    }

    private List<String> arrived(String name) {
        return transport(name).arrived().stream()
                .map(delivery -> delivery.event().destination())
                .toList();
    }

    @Test
    @Setting({"waybill.outbox.transport", "waybill.destinations.*.transport"})
    void aDestinationGoesByItsTransportAndAllOthersByTheUsualOne() {
        publish("letters", "a");
        publish("anything", "a");
        await().untilAsserted(() -> {
            assertThat(arrived("truck")).contains("letters").doesNotContain("anything");
            assertThat(arrived("ship")).contains("anything").doesNotContain("letters");
        });
        assertThat(app().bean(Notes.class).noted()).contains("letters").doesNotContain("anything");
        assertThat(route("letters").transport()).isSameAs(route("express").transport());
    }

    @Test
    void anEventThatItsTransportCannotCarryIsRefusedByTheCallThatPublishes() {
        assertThatThrownBy(() -> app().publish(withPayloadOf(101, "gifts")))
                .isInstanceOf(OutboxLimitException.class)
                .hasMessageContaining("its payload is 101")
                .hasMessageContaining("\"gifts\" carries at most 100");
        app().publish(withPayloadOf(100, "gifts"));
        app().publish(withPayloadOf(101, "large-gifts"));
        await().untilAsserted(() -> assertThat(arrived("ship")).contains("large-gifts"));
        await().untilAsserted(() ->
                assertThat(app().bean(Van.class).inside().arrived()).hasSize(1));
    }

    @Test
    void whoLetsAnotherProcessDeliverIsNotAskedWhatItsTransportsCarry() {
        try (RunningApp publishing =
                RunningApp.onH2(App.class, "waybill.relay.enabled=false", "waybill.destinations.gifts.transport=van")) {
            publishing.publish(withPayloadOf(101, "gifts"));

            assertThat(publishing.bean(OutboxUnit.class).store().countPending(10))
                    .isOne();
        }
    }

    private static Event withPayloadOf(int bytes, String destination) {
        return Event.to(destination)
                .type("note")
                .payload(Payload.utf8("x".repeat(bytes)))
                .build();
    }

    @Test
    @Setting("waybill.destinations.*.dead-letters")
    void aDeadLetterHoldsItsKeyUnlessTheDestinationSaysOtherwise() {
        publish("parked", "p1");
        publish("parked", "p1");
        publish("skipped", "s1");
        publish("skipped", "s1");
        await().untilAsserted(() -> {
            assertThat(deadLetters("parked")).hasSize(1);
            assertThat(deadLetters("skipped")).hasSize(2);
        });
        assertThat(deadLetters("parked").get(0).parksKey()).isTrue();
        assertThat(deadLetters("parked").get(0).entry().attempts()).isEqualTo(2);
        assertThat(route("skipped").deadLetters()).isEqualTo(DeadLetterPolicy.SKIP);
    }

    private List<DeadLetter> deadLetters(String destination) {
        return app().undelivered().stream()
                .filter(letter -> letter.publishedTo().equals(destination))
                .toList();
    }

    @Test
    @Setting("waybill.destinations.*.paused")
    void aPausedDestinationGetsNothingWhileOthersGoOn() {
        publish("held", "h");
        publish("after-held", "h");
        await().untilAsserted(() -> assertThat(arrived("ship")).contains("after-held"));
        assertThat(arrived("ship")).doesNotContain("held");
        assertThat(app().bean(OutboxUnit.class).store().countPending(100)).isPositive();
    }

    @Test
    @Setting({"waybill.destinations.*.max-per-second", "waybill.destinations.*.priority"})
    void limitsAndPrioritiesBelongToTheRoute() {
        assertThat(route("limited").maxPerSecond()).isEqualTo(7);
        assertThat(route("urgent").priority()).isEqualTo(5);
        assertThat(route("anything").priority()).isZero();
        assertThat(route("anything").maxPerSecond()).isZero();
    }

    @Test
    void aCustomizerHasTheLastWordOnARoute() {
        assertThat(route("express").priority()).isEqualTo(42);
        assertThat(route("letters").priority()).isZero();
    }

    @Test
    void furtherRelaysHaveTheSameRoutesAndARestartGoesOn() {
        Relays relays = app().bean(Relays.class);
        relays.kill();
        assertThat(relays.relays()).isEmpty();
        publish("by-another", "b");
        try (Relay another =
                relays.builder(app().bean(OutboxUnit.class)).build().start()) {
            await().untilAsserted(() -> assertThat(arrived("ship")).contains("by-another"));
            assertThat(another.stop(Duration.ofSeconds(10))).isTrue();
        } finally {
            relays.start();
        }
        publish("by-the-new-one", "b");
        await().untilAsserted(() -> assertThat(arrived("ship")).contains("by-the-new-one"));
    }

    @Test
    void aTransportThatIsNotThereFailsTheStartAndNamesThoseThatAre() {
        assertThatThrownBy(() -> RunningApp.onH2(App.class, "waybill.destinations.letters.transport=shp"))
                .hasStackTraceContaining("waybill.destinations.letters.transport is \"shp\"")
                .hasStackTraceContaining("[in-process, refusing, ship, truck, van]");
    }
}
