package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersJsonTest {

    @Test
    void headersComeBackAsTheyWere() throws IOException {
        Map<String, String> headers = Map.of("tenant", "acme", "note", "\"Größe\"\n\u2028🚚", "empty", "");

        assertThat(HeadersJson.read(HeadersJson.write(headers))).isEqualTo(headers);
    }

    /** Other languages write rows as well; what is wrong with one is logged. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\"",
                "{\"a\":",
                "[]",
                "null",
                "{\"a\":[]}",
                "{\"a\\nERROR forged\":{}}",
                "{\"a\nb\":1}",
                "x"
            })
    void whatIsNoObjectOfTextsIsRefusedInOneLine(String json) {
        assertThatThrownBy(() -> HeadersJson.read(json))
                .isInstanceOf(IOException.class)
                .message()
                .contains("header")
                .doesNotContain("\n");
    }
}
