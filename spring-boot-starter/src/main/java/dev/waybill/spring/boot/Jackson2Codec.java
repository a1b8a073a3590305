package dev.waybill.spring.boot;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.waybill.event.PayloadCodec;
import java.io.IOException;

/** JSON by Jackson 2. Thread-safe. */
record Jackson2Codec(ObjectMapper mapper) implements PayloadCodec {

    /** For applications that have no mapper: dates as text, and unknown fields of newer events are passed over. */
    static Jackson2Codec own() {
        return new Jackson2Codec(JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build());
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] encode(Object value) throws IOException {
        return mapper.writeValueAsBytes(value);
    }

    @Override
    public <T> T decode(byte[] bytes, Class<T> type) throws IOException {
        return mapper.readValue(bytes, type);
    }
}
