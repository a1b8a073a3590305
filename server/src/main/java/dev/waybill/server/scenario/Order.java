package dev.waybill.server.scenario;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.waybill.event.Event;
import dev.waybill.event.EventHeaders;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What a customer wants. Immutable. */
record Order(String id, String customer, String article, int quantity) {
    static final String DESTINATION = "orders";
    static final String TYPE = "order.placed";

    private static final JsonFactory JSON = new JsonFactory();

    Event event() {
        return Event.to(DESTINATION)
                .key(customer)
                .type(TYPE)
                .json(json())
                .header(EventHeaders.CORRELATION_ID, "checkout-" + id)
                .header(EventHeaders.SOURCE, "shop")
                .build();
    }

    static Order of(Event event) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(event.payload().bytes())) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.put(name, parser.getText());
                }
            }
        }
        return new Order(
                field(fields, "order"),
                field(fields, "customer"),
                field(fields, "article"),
                Integer.parseInt(field(fields, "quantity")));
    }

    private static String field(Map<String, String> fields, String name) {
        return Objects.requireNonNull(fields.get(name), name);
    }

    private String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            generator.writeStartObject();
            generator.writeStringField("order", id);
            generator.writeStringField("customer", customer);
            generator.writeStringField("article", article);
            generator.writeNumberField("quantity", quantity);
            generator.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
