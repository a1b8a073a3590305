package dev.waybill.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.event.EventTypes;
import dev.waybill.event.Payload;
import dev.waybill.event.PayloadCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class InProcessTransportTest {

    /** The payload as text; refuses "garbage". */
    private static final class TextCodec implements PayloadCodec {
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
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (text.equals("garbage")) {
                throw new IllegalStateException("unreadable");
            }
            return type.cast(text);
        }
    }

    private final EventTypes types = EventTypes.builder()
            .register("text", 1, String.class, new TextCodec())
            .build();
    private final List<Object> handled = new ArrayList<>();

    @Test
    void aHandlerThatReturnsHasTheEvent() {
        Delivery delivery = delivery("known", "x");
        try (InProcessTransport transport =
                InProcessTransport.builder().on("known", handled::add).build()) {
            assertThat(send(transport, delivery)).isEqualTo(DeliveryResult.delivered());
        }
        assertThat(handled).containsExactly(delivery);
    }

    @Test
    void eachEventGoesToTheHandlerOfItsType() {
        List<String> seen = new ArrayList<>();
        try (InProcessTransport transport = InProcessTransport.builder()
                .on("a", delivery -> seen.add("a"))
                .on("b", delivery -> seen.add("b"))
                .build()) {
            Map<Delivery, DeliveryResult> results =
                    sendAll(transport, List.of(delivery("b", ""), delivery("a", ""), delivery("c", "")));
            assertThat(results.values().stream().filter(DeliveryResult.delivered()::equals))
                    .hasSize(2);
        }
        assertThat(seen).containsExactly("b", "a");
    }

    @Test
    void anUnknownTypeIsRejectedAndNeverCountsAsDelivered() {
        try (InProcessTransport transport =
                InProcessTransport.builder().on("known", handled::add).build()) {
            assertRejected(send(transport, delivery("unknown", "x")), "unknown", "[known]");
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void aHandlerThatThrowsIsTriedAgain() {
        try (InProcessTransport transport = InProcessTransport.builder()
                .on("checked", delivery -> {
                    throw new java.io.IOException("later");
                })
                .on("unchecked", delivery -> {
                    throw new IllegalStateException("later");
                })
                .on("error", delivery -> {
                    throw new AssertionError("later");
                })
                .on("deep", InProcessTransportTest::recurse)
                .build()) {
            for (String type : List.of("checked", "unchecked", "error")) {
                assertRetry(send(transport, delivery(type, "x")), "later");
            }
            assertRetry(send(transport, delivery("deep", "x")), "StackOverflowError");
        }
    }

    @Test
    void oneThatFailsDoesNotStopTheOthersOfTheBatch() {
        Delivery first = delivery("bad", "x");
        Delivery second = delivery("good", "x");
        try (InProcessTransport transport = InProcessTransport.builder()
                .on("bad", delivery -> {
                    throw new IllegalStateException("later");
                })
                .on("good", handled::add)
                .build()) {
            Map<Delivery, DeliveryResult> results = sendAll(transport, List.of(first, second));
            assertThat(results.get(first)).isInstanceOf(DeliveryResult.Retry.class);
            assertThat(results.get(second)).isEqualTo(DeliveryResult.delivered());
        }
    }

    @Test
    void aHandlerRejectsWhatWillNeverWork() {
        try (InProcessTransport transport = InProcessTransport.builder()
                .on("known", delivery -> {
                    throw new RejectedEventException("the order does not exist");
                })
                .build()) {
            assertRejected(send(transport, delivery("known", "x")), "the order does not exist");
        }
    }

    @Test
    void aTypedHandlerGetsTheValue() {
        try (InProcessTransport transport = typed()) {
            assertThat(send(transport, delivery("text", "hello"))).isEqualTo(DeliveryResult.delivered());
        }
        assertThat(handled).containsExactly("hello");
    }

    @Test
    void aPayloadThatCannotBeDecodedIsRejected() {
        try (InProcessTransport transport = typed()) {
            assertRejected(send(transport, delivery("text", "garbage")), "unreadable");
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void aVersionThatIsNotRegisteredIsRejected() {
        Event event = Event.to("d").type("text").version(2).build();
        try (InProcessTransport transport = typed()) {
            assertRejected(send(transport, new Delivery(event, 1, 1, 0, 1)), "text v2");
        }
    }

    @Test
    void aValueOfAnotherClassThanTheHandlersIsRejected() {
        try (InProcessTransport transport = InProcessTransport.builder()
                .on("text", types, Integer.class, (value, delivery) -> handled.add(value))
                .build()) {
            assertRejected(send(transport, delivery("text", "x")), "java.lang.String", "java.lang.Integer");
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void anExecutorThatTakesNoMoreWorkMeansUnavailable() {
        try (InProcessTransport transport = InProcessTransport.builder()
                .on("known", handled::add)
                .executor(task -> {
                    throw new RejectedExecutionException("full");
                })
                .build()) {
            assertThat(send(transport, delivery("known", "x")))
                    .isInstanceOfSatisfying(
                            DeliveryResult.Unavailable.class,
                            result -> assertThat(result.reason()).contains("full"));
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void handlersRunOnTheExecutorAndSendDoesNotWaitForThem() {
        Queue<Runnable> queue = new ArrayDeque<>();
        Map<Delivery, DeliveryResult> results = new HashMap<>();
        Delivery delivery = delivery("known", "x");
        try (InProcessTransport transport = InProcessTransport.builder()
                .on("known", handled::add)
                .executor(queue::add)
                .build()) {
            transport.send(List.of(delivery), results::put);
            assertThat(results).isEmpty();
            assertThat(handled).isEmpty();

            queue.remove().run();

            assertThat(results).containsExactly(Map.entry(delivery, DeliveryResult.delivered()));
        }
    }

    @Test
    void aTypeHasOneHandler() {
        InProcessTransport.Builder builder = InProcessTransport.builder().on("known", handled::add);

        assertThatThrownBy(() -> builder.on("known", handled::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("known");
    }

    private InProcessTransport typed() {
        return InProcessTransport.builder()
                .on("text", types, String.class, (value, delivery) -> handled.add(value))
                .build();
    }

    private static Delivery delivery(String type, String text) {
        return new Delivery(Event.to("d").type(type).payload(Payload.utf8(text)).build(), 1, 1, 0, 1);
    }

    private static DeliveryResult send(InProcessTransport transport, Delivery delivery) {
        Map<Delivery, DeliveryResult> results = sendAll(transport, List.of(delivery));
        DeliveryResult result = results.get(delivery);
        assertThat(result).isNotNull();
        return result;
    }

    private static Map<Delivery, DeliveryResult> sendAll(InProcessTransport transport, List<Delivery> batch) {
        Map<Delivery, DeliveryResult> results = new HashMap<>();
        transport.send(
                batch,
                (delivery, result) -> assertThat(results.put(delivery, result))
                        .as("one result for each delivery")
                        .isNull());
        assertThat(results).hasSameSizeAs(batch);
        return results;
    }

    private static void assertRejected(DeliveryResult result, String... reasons) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        DeliveryResult.Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains(reasons));
    }

    private static void assertRetry(DeliveryResult result, String reason) {
        assertThat(result).isInstanceOfSatisfying(DeliveryResult.Retry.class, retry -> {
            assertThat(retry.reason()).contains(reason);
            assertThat(retry.after()).isNull();
        });
    }

    @SuppressWarnings("InfiniteRecursion") // that is the point
    private static void recurse(Delivery delivery) {
        recurse(delivery);
    }
}
