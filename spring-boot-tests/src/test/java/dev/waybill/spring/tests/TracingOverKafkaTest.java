package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.testkit.kafka.KafkaBroker;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracingOverKafkaTest {

    /** The first try fails, so that the second comes from the siding. */
    @Test
    void theTraceGoesThroughKafkaAndThroughARetry(@TempDir Path folder) {
        try (KafkaBroker broker = KafkaBroker.start(folder.resolve("kafka"));
                WebService service = WebService.start(
                        TracingTest.Shop.class,
                        "waybill.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                        "waybill.kafka.partitions=1")) {
            service.bean(TracingTest.Stock.class).failures.set(1);

            assertThat(service.post("/orders/1", "").statusCode()).isEqualTo(200);

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> spans(service, "handle OrderPlaced").size() == 2);
            SpanData request = all(service).stream()
                    .filter(span -> span.getKind() == SpanKind.SERVER)
                    .findFirst()
                    .orElseThrow();
            assertThat(spans(service, "deliver orders")).hasSize(1).allSatisfy(delivery -> {
                assertThat(delivery.getParentSpanId()).isEqualTo(request.getSpanId());
                assertThat(spans(service, "handle OrderPlaced"))
                        .allSatisfy(
                                handler -> assertThat(handler.getParentSpanId()).isEqualTo(delivery.getSpanId()));
            });
            assertThat(spans(service, "handle OrderPlaced"))
                    .extracting(SpanData::getTraceId)
                    .containsOnly(request.getTraceId());
        }
    }

    private static List<SpanData> all(WebService service) {
        service.bean(SdkTracerProvider.class).forceFlush().join(5, TimeUnit.SECONDS);
        return service.bean(InMemorySpanExporter.class).getFinishedSpanItems();
    }

    private static List<SpanData> spans(WebService service, String name) {
        return all(service).stream().filter(span -> span.getName().equals(name)).toList();
    }
}
