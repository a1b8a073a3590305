package dev.waybill.server.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Named values in their order, as a JSON object. Not thread-safe. */
public final class Figures implements JsonTarget.Content {
    private static final double SECOND = 1000;

    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    /** Text, number, truth value, enum, moment, duration (as seconds), figures, a list or a map of these, or nothing. */
    public Figures with(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    @Override
    public void writeTo(JsonGenerator json) throws IOException {
        write(json, values);
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof Figures figures) {
            write(json, figures.values);
        } else if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object one : list) {
                write(json, one);
            }
            json.writeEndArray();
        } else {
            writeScalar(json, value);
        }
    }

    private static void writeScalar(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof Optional<?> optional) {
            write(json, optional.orElse(null));
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Duration duration) {
            json.writeNumber(duration.toMillis() / SECOND);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Long || value instanceof Integer) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Enum<?> constant) {
            json.writeString(constant.name().toLowerCase(Locale.ROOT));
        } else if (value instanceof Instant moment) {
            json.writeString(moment.toString());
        } else {
            json.writeString(value.toString());
        }
    }
}
