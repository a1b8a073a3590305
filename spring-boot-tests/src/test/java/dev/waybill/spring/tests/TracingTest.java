package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.TransportCustomizer;
import dev.waybill.spring.tracing.TraceHeaders;
import dev.waybill.spring.tracing.TracedDeliveries;
import dev.waybill.spring.tracing.TracedHandlers;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** One trace from the request that publishes to the handler that consumes, through a real web server. */
class TracingTest {
    private static WebService service;

    @PublishedEvent(destination = "orders", key = "orderId")
    record OrderPlaced(String orderId) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }

        @Bean
        Orders orders(TypedOutbox outbox) {
            return new Orders(outbox);
        }

        @Bean
        Stock stock(Tracer tracer) {
            return new Stock(tracer);
        }

        @Bean
        Trouble trouble() {
            return new Trouble();
        }
    }

    @RestController
    static class Orders {
        private final TypedOutbox outbox;

        Orders(TypedOutbox outbox) {
            this.outbox = outbox;
        }

        @PostMapping("/orders/{id}")
        @Transactional
        public String place(@PathVariable("id") String id) {
            outbox.publish(new OrderPlaced(id));
            return id;
        }
    }

    static class Stock {
        private final Tracer tracer;
        final AtomicInteger failures = new AtomicInteger();
        private final ConcurrentLinkedQueue<String> logged = new ConcurrentLinkedQueue<>();

        Stock(Tracer tracer) {
            this.tracer = tracer;
        }

        @EventHandler(consumer = "stock")
        public void reserve(OrderPlaced placed) {
            logged.add(String.valueOf(MDC.get("traceId")));
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("no shelf free");
            }
            tracer.nextSpan().name("reserve " + placed.orderId()).start().end();
        }
    }

    /** Lets deliveries fail. */
    static class Trouble implements TransportCustomizer {
        private final AtomicInteger failures = new AtomicInteger();

        @Override
        public Transport customize(String name, Transport transport) {
            return new Transport() {
                @Override
                public void send(List<Delivery> batch, DeliveryListener listener) {
                    if (failures.getAndDecrement() > 0) {
                        batch.forEach(delivery -> listener.onResult(delivery, DeliveryResult.retry("lost on the way")));
                    } else {
                        transport.send(batch, listener);
                    }
                }

                @Override
                public void close() {
                    transport.close();
                }
            };
        }
    }

    @BeforeAll
    static void start() {
        service = WebService.start(Shop.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void forget() {
        flush();
        service.bean(InMemorySpanExporter.class).reset();
        service.bean(Stock.class).logged.clear();
        service.bean(Stock.class).failures.set(0);
        service.bean(Trouble.class).failures.set(0);
    }

    @Test
    void oneTraceLeadsFromTheRequestToTheHandler() {
        assertThat(service.post("/orders/1", "").statusCode()).isEqualTo(200);

        await().until(() ->
                !spans("reserve 1").isEmpty() && !spans("deliver orders").isEmpty());
        SpanData request = only(SpanKind.SERVER);
        SpanData outbox = only("outbox orders");
        SpanData delivery = only("deliver orders");
        SpanData handler = only("handle OrderPlaced");
        assertThat(List.of(outbox, delivery, handler, only("reserve 1")))
                .extracting(SpanData::getTraceId)
                .containsOnly(request.getTraceId());
        assertThat(outbox.getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(delivery.getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(delivery.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(handler.getParentSpanId()).isEqualTo(delivery.getSpanId());
        assertThat(handler.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(attribute(handler, "consumer")).isEqualTo("stock");
        assertThat(attribute(handler, "outcome")).isEqualTo("handled");
        assertThat(only("reserve 1").getParentSpanId()).isEqualTo(handler.getSpanId());
        assertThat(service.bean(Stock.class).logged).containsExactly(request.getTraceId());
        assertThat(outbox.getStartEpochNanos()).isBetween(request.getStartEpochNanos(), delivery.getStartEpochNanos());
        assertThat(Duration.ofNanos(delivery.getStartEpochNanos() - outbox.getEndEpochNanos())
                        .abs())
                .isLessThan(Duration.ofMillis(100));
    }

    @Test
    void theTraceGoesOnAfterTwoFailedTriesOfTheHandler() {
        service.bean(Stock.class).failures.set(2);

        service.post("/orders/2", "");

        await().until(() ->
                !spans("reserve 2").isEmpty() && spans("handle OrderPlaced").size() == 3);
        SpanData request = only(SpanKind.SERVER);
        SpanData delivery = only("deliver orders");
        List<SpanData> tries = spans("handle OrderPlaced");
        assertThat(tries).allSatisfy(one -> {
            assertThat(one.getTraceId()).isEqualTo(request.getTraceId());
            assertThat(one.getParentSpanId()).isEqualTo(delivery.getSpanId());
        });
        assertThat(tries)
                .extracting(one -> attribute(one, "outcome"), one -> attribute(one, "attempt"))
                .containsExactly(tuple("failed", "1"), tuple("failed", "2"), tuple("handled", "3"));
        assertThat(tries.get(1).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(tries.get(1).getEvents().toString()).contains("no shelf free");
        assertThat(service.bean(Stock.class).logged).hasSize(3).containsOnly(request.getTraceId());
    }

    @Test
    void theTraceGoesOnAfterTwoFailedDeliveries() {
        service.bean(Trouble.class).failures.set(2);

        service.post("/orders/3", "");

        await().until(() ->
                !spans("reserve 3").isEmpty() && spans("deliver orders").size() == 3);
        SpanData request = only(SpanKind.SERVER);
        List<SpanData> deliveries = spans("deliver orders");
        assertThat(deliveries).allSatisfy(one -> {
            assertThat(one.getTraceId()).isEqualTo(request.getTraceId());
            assertThat(one.getParentSpanId()).isEqualTo(request.getSpanId());
        });
        assertThat(deliveries)
                .extracting(one -> attribute(one, "outcome"))
                .containsExactly("retry", "retry", "delivered");
        assertThat(only("handle OrderPlaced").getParentSpanId())
                .isEqualTo(deliveries.get(2).getSpanId());
        assertThat(only("outbox orders").getEndEpochNanos())
                .as("the wait is over with the first attempt")
                .isLessThan(deliveries.get(1).getStartEpochNanos());
    }

    /** The application may carry on a trace of its own. */
    @Test
    void aContextThatTheApplicationGaveAnEventStays() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        TraceHeaders headers = service.bean(TraceHeaders.class);
        Event event = Event.to("orders")
                .type("OrderPlaced")
                .header("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
                .build();
        Tracer tracer = service.bean(Tracer.class);

        try (Tracer.SpanInScope scope = tracer.withSpan(tracer.nextSpan().start())) {
            assertThat(scope).isNotNull();
            assertThat(headers.customize(event)).isSameAs(event);
            assertThat(headers.customize(Event.to("orders").type("OrderPlaced").build())
                            .headers())
                    .containsKey("traceparent");
        }
        assertThat(headers.customize(Event.to("orders").type("OrderPlaced").build())
                        .headers())
                .isEmpty();
    }

    @Test
    @Setting("waybill.tracing.enabled")
    void tracingCanBeSwitchedOff() {
        try (WebService other = WebService.start(Shop.class, "waybill.tracing.enabled=false")) {
            for (Class<?> type : List.of(TraceHeaders.class, TracedDeliveries.class, TracedHandlers.class)) {
                assertThat(other.context().getBeanNamesForType(type)).isEmpty();
            }
            assertThat(other.post("/orders/4", "").statusCode()).isEqualTo(200);
            await().until(() -> !other.bean(Stock.class).logged.isEmpty());
            assertThat(other.bean(Stock.class).logged).containsExactly("null");
        }
    }

    private static void flush() {
        service.bean(SdkTracerProvider.class).forceFlush().join(5, TimeUnit.SECONDS);
    }

    private static List<SpanData> all() {
        flush();
        return service.bean(InMemorySpanExporter.class).getFinishedSpanItems().stream()
                .sorted(Comparator.comparing(SpanData::getStartEpochNanos))
                .toList();
    }

    private static List<SpanData> spans(String name) {
        return all().stream().filter(span -> span.getName().equals(name)).toList();
    }

    private static SpanData only(String name) {
        assertThat(spans(name)).as(name).hasSize(1);
        return spans(name).get(0);
    }

    private static SpanData only(SpanKind kind) {
        List<SpanData> found =
                all().stream().filter(span -> span.getKind() == kind).toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static String attribute(SpanData span, String name) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
    }
}
