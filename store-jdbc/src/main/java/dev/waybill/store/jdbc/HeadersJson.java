package dev.waybill.store.jdbc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.waybill.OneLine;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Headers as a JSON object, so that every language can write and read the column. */
final class HeadersJson {
    private static final JsonFactory JSON = new JsonFactory();

    private HeadersJson() {}

    static @Nullable String write(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            for (Map.Entry<String, String> header : headers.entrySet()) {
                json.writeStringField(header.getKey(), header.getValue());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static Map<String, String> read(@Nullable String text) throws IOException {
        if (text == null || text.isEmpty()) {
            return Map.of();
        }
        try {
            return parse(text);
        } catch (JsonProcessingException e) {
            throw new IOException("its headers are not valid JSON: " + OneLine.of(e.getOriginalMessage()), e);
        }
    }

    private static Map<String, String> parse(String text) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("headers must be a JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                if (!json.nextToken().isScalarValue()) {
                    throw new IOException("header " + OneLine.of(name) + " must be a string");
                }
                headers.put(name, json.getText());
            }
        }
        return headers;
    }
}
