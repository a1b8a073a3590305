package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.waybill.examples.shop.demo.Snapshot.ConsumerState;
import dev.waybill.testkit.check.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoReportTest {

    @Test
    void theFileIsFlatAndHasEveryNumber(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("report.json");
        report(verdict(3, 2, 1), 8, 4, 5).write(file);
        assertThat(read(file))
                .containsEntry("database", "a \"quoted\" one")
                .containsEntry("transport", "kafka")
                .containsEntry("retention", "PT24H")
                .containsEntry("relays", "3")
                .containsEntry("rate", "500")
                .containsEntry("seconds", "10.1")
                .containsEntry("written", "100")
                .containsEntry("rolledBack", "11")
                .containsEntry("delivered", "90")
                .containsEntry("deliveredPerSecond", "8.9")
                .containsEntry("duplicates", "7")
                .containsEntry("doubled", "8")
                .containsEntry("lost", "3")
                .containsEntry("ghosts", "2")
                .containsEntry("outOfOrder", "1")
                .containsEntry("pending", "4")
                .containsEntry("deadLetters", "5")
                .containsEntry("p50Ms", "1.5")
                .containsEntry("p99Ms", "9.25")
                .containsEntry("roundTripP50Ms", "3.5")
                .containsEntry("heapFirstMinuteMb", "40.0")
                .containsEntry("heapEndMb", "44.0")
                .containsEntry("heapRatio", "1.1")
                .containsEntry("chaosEvents", "6")
                .containsEntry("holds", "false");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0, 0, true",
        "1, 0, 0, 0, 0, 0, false",
        "0, 1, 0, 0, 0, 0, false",
        "0, 0, 1, 0, 0, 0, false",
        "0, 0, 0, 1, 0, 0, false",
        "0, 0, 0, 0, 1, 0, false",
        "0, 0, 0, 0, 0, 1, false"
    })
    void anythingMissingGhostlyOverdueDoubledOrOutOfOrderBreaksThePromise(
            long lost, long ghosts, long outOfOrder, long doubled, long pending, long deadLetters, boolean holds) {
        assertThat(report(verdict(lost, ghosts, outOfOrder), doubled, pending, deadLetters)
                        .holds())
                .isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0, true", "1, 0, 0, false", "0, 1, 0, false", "0, 0, 1, false"})
    void whatAConsumerDidNotFinishBreaksThePromise(long aside, long behind, long dead, boolean holds) {
        ConsumerState consumer = new ConsumerState(100, 9, 8, 7, aside, behind, dead, 5, 1, "closed");
        assertThat(report(verdict(0, 0, 0), 0, 0, 0, consumer).holds()).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource({"40, 47.9, 300, true", "40, 48.1, 300, false", "40, 48.1, 299, true", "0, 48.1, 59, true"})
    void memoryThatGrewBreaksThePromiseOfALongRun(double first, double end, long seconds, boolean flat) {
        assertThat(new HeapUse(first, end).isFlat(Duration.ofSeconds(seconds))).isEqualTo(flat);
    }

    private static Verdict verdict(long lost, long ghosts, long outOfOrder) {
        return new Verdict(100, 11, 0, 0, 90, 7, 0, lost, ghosts, outOfOrder, List.of());
    }

    private static DemoReport report(Verdict verdict, long doubled, long pending, long deadLetters) {
        return report(verdict, doubled, pending, deadLetters, null);
    }

    private static DemoReport report(
            Verdict verdict, long doubled, long pending, long deadLetters, @Nullable ConsumerState consumer) {
        DemoConfig config = new DemoConfig(
                "h2",
                null,
                null,
                "kafka",
                null,
                500,
                3,
                1000,
                true,
                false,
                Duration.ofSeconds(10),
                Duration.ofHours(24),
                null,
                null);
        Percentiles latency = new Percentiles(90, 1.5, 9.25, 12);
        return new DemoReport(
                "a \"quoted\" one",
                "Kafka",
                config,
                10.123,
                verdict,
                doubled,
                pending,
                deadLetters,
                latency,
                new Percentiles(90, 3.5, 11, 13),
                new HeapUse(40, 44),
                6,
                consumer);
    }

    static Map<String, String> read(Path file) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(file.toFile())) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                assertThat(parser.nextToken().isScalarValue()).isTrue();
                fields.put(name, parser.getText());
            }
        }
        return fields;
    }
}
