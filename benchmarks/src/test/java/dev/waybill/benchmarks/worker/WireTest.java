package dev.waybill.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.benchmarks.contender.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {

    @Test
    void whatIsWrittenIsReadAgainFromOneLine() throws IOException {
        Map<String, String> values = Map.of("do", "create", "reason", "line 1\nline \"2\" \u00e4", "empty", "");
        String line = Wire.line(values);
        assertThat(line).doesNotContain("\n");
        assertThat(Wire.read(line)).isEqualTo(values);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "what?", "[]", "{\"a\":1}", "{\"a\":{\"b\":\"c\"}}", "{\"a\":\"b\"", "{\"a\":\"b\"} x"})
    void anythingElseIsRefused(String line) {
        assertThatThrownBy(() -> Wire.read(line)).isInstanceOf(IOException.class);
    }

    @Test
    void aLoadIsTheSameOnTheOtherSide() {
        Load load = new Load(8, 10, 1000, 300, 12.5, Duration.ofMillis(1500), 77);
        assertThat(Load.read(load.write(Words.none()))).isEqualTo(load);
        assertThatThrownBy(() -> new Load(8, 1, 7, 300, 0, Duration.ofSeconds(1), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Words.none().number("writers")).hasMessageContaining("'writers' is missing");
    }

    @Test
    void aPayloadTellsItsKeyNumberAndTime() {
        Message message = Message.of(5, 42, 7, 300);
        assertThat(message.key()).isEqualTo("key-5");
        assertThat(message.payload()).hasSize(300);
        assertThat(Message.keyOf(message.payload())).isEqualTo(5);
        assertThat(Message.numberOf(message.payload())).isEqualTo(42);
        assertThat(Message.publishedNanosOf(message.payload())).isEqualTo(7);
    }
}
