package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.spring.tracing.TracedDeliveries;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.SizeLimited;
import dev.waybill.transport.Transport;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TracedDeliveryTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PUBLISHER = "00f067aa0ba902b7";
    private static final Duration WAIT = Duration.ofSeconds(90);

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final io.opentelemetry.api.trace.Tracer openTelemetry = provider.get("test");
    private final Tracer tracer = new OtelTracer(openTelemetry, new OtelCurrentTraceContext(), event -> {});
    private final Propagator propagator =
            new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), openTelemetry);
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final List<Delivery> sent = new ArrayList<>();
    private final List<Delivery> answered = new ArrayList<>();
    private final List<DeliveryListener> listeners = new ArrayList<>();

    TracedDeliveryTest() {
        observations
                .observationConfig()
                .observationHandler(new PropagatingReceiverTracingObservationHandler<>(tracer, propagator));
    }

    @AfterEach
    void end() {
        provider.close();
    }

    @Test
    void aDeliveryIsAChildOfWhoPublishedAndTheEventCarriesItOn() {
        Transport transport = traced(Duration.ofSeconds(30));
        Delivery delivery = delivery(1, 1, "01");

        transport.send(List.of(delivery), this::answered);
        answer(0, DeliveryResult.delivered());

        SpanData span = only("deliver orders");
        assertThat(span.getTraceId()).isEqualTo(TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(PUBLISHER);
        assertThat(sent.get(0).event().headers())
                .containsEntry("traceparent", "00-" + TRACE + "-" + span.getSpanId() + "-01")
                .containsEntry("tenant", "a");
        assertThat(sent.get(0).sendId()).isEqualTo(1);
        assertThat(answered).hasSize(1);
        assertThat(answered.get(0)).isSameAs(delivery);
        assertThat(attribute(span, "outcome")).isEqualTo("delivered");
        assertThat(attribute(span, "destination")).isEqualTo("orders");
        assertThat(attribute(span, "event.id")).isEqualTo(delivery.event().id().toString());
    }

    @Test
    void theTimeInTheOutboxIsASpanOfItsOwn() {
        Transport transport = traced(Duration.ofSeconds(30));

        transport.send(List.of(delivery(1, 1, "01")), this::answered);
        answer(0, DeliveryResult.retry("try later"));
        transport.send(List.of(delivery(2, 2, "01")), this::answered);
        answer(1, DeliveryResult.delivered());

        SpanData outbox = only("outbox orders");
        assertThat(outbox.getParentSpanId()).isEqualTo(PUBLISHER);
        assertThat(Duration.ofNanos(outbox.getEndEpochNanos() - outbox.getStartEpochNanos()))
                .isBetween(WAIT, WAIT.plusSeconds(60));
        assertThat(spans("deliver orders"))
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getParentSpanId()).isEqualTo(PUBLISHER));
        SpanData failed = spans("deliver orders").get(0);
        assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(failed, "outcome")).isEqualTo("retry");
        assertThat(failed.getEvents().toString()).contains("try later");
    }

    /** While the destination is down nothing left the outbox: its wait ends with the first real attempt. */
    @Test
    void probesOfADestinationThatIsDownDoNotEndTheWait() {
        Transport transport = traced(Duration.ofSeconds(30));

        transport.send(List.of(delivery(1, 1, "01")), this::answered);
        answer(0, DeliveryResult.unavailable("down"));
        assertThat(spans("outbox orders")).isEmpty();
        transport.send(List.of(delivery(2, 1, "01")), this::answered);
        answer(1, DeliveryResult.delivered());

        only("outbox orders");
        assertThat(spans("deliver orders"))
                .extracting(span -> attribute(span, "outcome"))
                .containsExactly("unavailable", "delivered");
    }

    @Test
    void whatIsNotSampledStaysSo() {
        Transport transport = traced(Duration.ofSeconds(30));

        transport.send(List.of(delivery(1, 1, "00")), this::answered);
        answer(0, DeliveryResult.delivered());

        assertThat(exporter.getFinishedSpanItems()).isEmpty();
        assertThat(sent.get(0).event().headers().get("traceparent"))
                .startsWith("00-" + TRACE)
                .endsWith("-00");
        assertThat(answered).hasSize(1);
    }

    @Test
    void aDeliveryWithoutAResultEndsAsATimeout() {
        Transport transport = traced(Duration.ofMillis(1));

        transport.send(List.of(delivery(1, 1, "01")), this::answered);

        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            transport.send(List.of(), this::answered);
            return !spans("deliver orders").isEmpty();
        });
        assertThat(attribute(only("deliver orders"), "outcome")).isEqualTo("timeout");
        answer(0, DeliveryResult.delivered());
        assertThat(spans("deliver orders")).hasSize(1);
        assertThat(answered).as("a late result still reaches the relay").hasSize(1);
    }

    @Test
    void whatIsUnderWayEndsWithTheTransport() {
        Transport transport = traced(Duration.ofSeconds(30));
        transport.send(List.of(delivery(1, 1, "01")), this::answered);

        transport.close();

        assertThat(attribute(only("deliver orders"), "outcome")).isEqualTo("timeout");
    }

    /** The ids of sends are unique within a relay only. */
    @Test
    void relaysThatShareATransportGetTheirOwnDeliveriesBack() {
        Transport transport = traced(Duration.ofSeconds(30));
        Delivery one = delivery(1, 1, "01");
        Delivery other = delivery(1, 1, "01");
        transport.send(List.of(one), this::answered);
        transport.send(List.of(other), this::answered);

        answer(1, DeliveryResult.delivered());
        answer(0, DeliveryResult.delivered());

        assertThat(answered.get(0)).isSameAs(other);
        assertThat(answered.get(1)).isSameAs(one);
    }

    @Test
    void anExceptionOfTheTransportReachesTheRelayAndEndsTheSpans() {
        Transport transport = new TracedDeliveries(observations, propagator, Duration.ofSeconds(30))
                .customize("broken", new Broken());

        assertThatThrownBy(() -> transport.send(List.of(delivery(1, 1, "01")), this::answered))
                .hasMessage("broken pipe");

        assertThat(only("deliver orders").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    }

    @Test
    void theLimitOfATransportIsNotHidden() {
        Transport transport = new TracedDeliveries(observations, propagator, Duration.ofSeconds(30))
                .customize("broken", new Broken());

        assertThat(transport)
                .isInstanceOfSatisfying(
                        SizeLimited.class,
                        limited -> assertThat(limited.maxPayloadBytes()).isEqualTo(7));
        assertThat(traced(Duration.ofSeconds(30))).isNotInstanceOf(SizeLimited.class);
    }

    /** An event that was published outside of every trace begins one when it is delivered. */
    @Test
    void anEventWithoutATraceBeginsOneWithItsDelivery() {
        Transport transport = traced(Duration.ofSeconds(30));
        Event event = Event.to("orders").type("OrderPlaced").build();

        transport.send(List.of(new Delivery(event, 1, 1, 0, 1)), this::answered);
        answer(0, DeliveryResult.delivered());

        SpanData span = only("deliver orders");
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(sent.get(0).event().headers().get("traceparent")).contains(span.getTraceId());
        assertThat(spans("outbox orders")).isEmpty();
    }

    private Transport traced(Duration timeout) {
        return new TracedDeliveries(observations, propagator, timeout).customize("plain", new Plain());
    }

    private static Delivery delivery(long sendId, int attempt, String flags) {
        Event event = Event.to("orders")
                .type("OrderPlaced")
                .occurredAt(Instant.now().minus(WAIT))
                .build()
                .withHeaders(Map.of("traceparent", "00-" + TRACE + "-" + PUBLISHER + "-" + flags, "tenant", "a"));
        return new Delivery(event, 17, attempt, 0, sendId);
    }

    private void answer(int which, DeliveryResult result) {
        listeners.get(which).onResult(sent.get(which), result);
    }

    private void answered(Delivery delivery, DeliveryResult result) {
        answered.add(delivery);
    }

    private List<SpanData> spans(String name) {
        provider.forceFlush().join(5, TimeUnit.SECONDS);
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private SpanData only(String name) {
        assertThat(spans(name)).hasSize(1);
        return spans(name).get(0);
    }

    private static String attribute(SpanData span, String name) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
    }

    private final class Plain implements Transport {

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            for (Delivery delivery : batch) {
                sent.add(delivery);
                listeners.add(listener);
            }
        }

        @Override
        public void close() {}
    }

    private static final class Broken implements Transport, SizeLimited {

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            throw new IllegalStateException("broken pipe");
        }

        @Override
        public int maxPayloadBytes() {
            return 7;
        }

        @Override
        public void close() {}
    }
}
