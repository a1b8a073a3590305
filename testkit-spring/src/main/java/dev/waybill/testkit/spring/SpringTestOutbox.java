package dev.waybill.testkit.spring;

import dev.waybill.event.PayloadCodec;
import dev.waybill.spring.outbox.EventMaker;
import dev.waybill.testkit.outbox.TestOutbox;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Makes outboxes for unit tests that know {@link dev.waybill.spring.PublishedEvent}, without a context or a database. */
public final class SpringTestOutbox {

    private SpringTestOutbox() {}

    /** Destinations, keys and types are those of the values' classes; settings in their names are not resolved. */
    public static TestOutbox create() {
        EventMaker maker = new EventMaker(new Text(), UnaryOperator.identity(), Map.of(), List::of);
        return new TestOutbox((destination, key, value) ->
                destination == null ? maker.event(value) : maker.event(destination, key, value));
    }

    /** What the payload looks like is no matter of a unit test. */
    private static final class Text implements PayloadCodec {

        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            throw new UnsupportedOperationException("A TestOutbox delivers nothing.");
        }
    }
}
