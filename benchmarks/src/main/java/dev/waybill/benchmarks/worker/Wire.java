package dev.waybill.benchmarks.worker;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** What goes between the command and its workers: a JSON object of strings on a line. */
final class Wire {
    private static final JsonFactory JSON = new JsonFactory();

    private Wire() {}

    static String line(Map<String, String> values) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            for (Map.Entry<String, String> value : values.entrySet()) {
                json.writeStringField(value.getKey(), value.getValue());
            }
            json.writeEndObject();
        }
        return text.toString();
    }

    /**
     * Reads a line.
     *
     * @throws IOException if it is anything else
     */
    static Map<String, String> read(String line) throws IOException {
        try (JsonParser json = JSON.createParser(line)) {
            require(json.nextToken() == JsonToken.START_OBJECT, line);
            Map<String, String> values = new LinkedHashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                require(json.nextToken() == JsonToken.VALUE_STRING, line);
                values.put(name, json.getText());
            }
            require(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null, line);
            return values;
        }
    }

    private static void require(boolean fits, String line) throws IOException {
        if (!fits) {
            throw new IOException("not a JSON object of strings: " + line);
        }
    }
}
