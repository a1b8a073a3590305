package dev.waybill.spring.boot;

import dev.waybill.event.PayloadCodec;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3. Thread-safe. */
record Jackson3Codec(JsonMapper mapper) implements PayloadCodec {

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] encode(Object value) {
        return mapper.writeValueAsBytes(value);
    }

    @Override
    public <T> T decode(byte[] bytes, Class<T> type) {
        return mapper.readValue(bytes, type);
    }
}
