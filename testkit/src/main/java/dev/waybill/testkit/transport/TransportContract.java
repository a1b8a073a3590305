package dev.waybill.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every transport keeps. Extend it, supply the transport and a way to see what arrived at its destination.
 *
 * <p>Only what a healthy destination shows: how a transport tells a broken one from a bad event is its own to test.
 */
public abstract class TransportContract {
    private static final String NON_ASCII = "Größe – 数量 🚚";

    private final Results results = new Results();
    private @Nullable Transport opened;
    private long sends;

    /**
     * What came out at the other end.
     *
     * @param headers at least those of the event
     */
    public record Arrival(UUID id, @Nullable String key, String type, Payload payload, Map<String, String> headers) {

        /** An arrival that is the event itself. */
        public static Arrival of(Event event) {
            return new Arrival(event.id(), event.key(), event.type(), event.payload(), event.headers());
        }
    }

    /** A new transport whose destination is empty; it is closed after the test. */
    protected abstract Transport open();

    /** The destination to send to; asked after {@link #open()}. */
    protected abstract String destination();

    /** All that has arrived since the transport was opened, in the order of arrival. */
    protected abstract List<Arrival> arrived();

    /** The type of the events to send. */
    protected String eventType() {
        return "contract.happened";
    }

    /** A payload that is large for this transport, but within its limit. */
    protected int bigPayload() {
        return 200_000;
    }

    /** How long an answer may take. */
    protected Duration patience() {
        return Duration.ofSeconds(20);
    }

    @BeforeEach
    void openTransport() {
        opened = open();
    }

    @AfterEach
    void closeTransport() {
        transport().close();
    }

    @Test
    void everyDeliveryOfABatchGetsExactlyOneResult() {
        List<Delivery> batch = IntStream.range(0, 60)
                .mapToObj(i -> delivery(i % 2 == 0 ? null : "key-" + i))
                .toList();
        send(batch);

        awaitResults(batch.size());
        assertThat(results.seen().stream().map(Seen::delivery)).containsExactlyInAnyOrderElementsOf(batch);
        assertThat(results.seen()).allSatisfy(seen -> assertThat(seen.result()).isEqualTo(DeliveryResult.delivered()));
        awaitArrivals(batch.size());
        assertThat(arrived().stream().map(Arrival::id))
                .containsExactlyInAnyOrderElementsOf(
                        batch.stream().map(delivery -> delivery.event().id()).toList());
        // What comes twice comes soon: the batch behind this one has been answered by then.
        send(List.of(delivery(null)));
        awaitResults(batch.size() + 1);
        assertThat(results.seen()).hasSize(batch.size() + 1);
    }

    @Test
    void whatIsAnsweredAsDeliveredHasArrivedUnchanged() {
        Event event = Event.to(destination())
                .key("order-4711")
                .type(eventType())
                .json("{\"total\": 12}")
                .header("tenant", "acme")
                .build();
        send(List.of(deliveryOf(event)));

        awaitResults(1);
        awaitArrivals(1);
        assertArrived(event);
    }

    @Test
    void textOutsideAsciiSurvives() {
        Event event = Event.to(destination())
                .key(NON_ASCII)
                .type(eventType())
                .payload(Payload.utf8(NON_ASCII))
                .header("note", NON_ASCII)
                .header("empty", "")
                .build();
        send(List.of(deliveryOf(event)));

        awaitResults(1);
        awaitArrivals(1);
        assertArrived(event);
    }

    @Test
    void payloadsMayBeEmptyBinaryOrBig() {
        byte[] bytes = new byte[bigPayload()];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) i);
        Event empty = Event.to(destination()).key("empty").type(eventType()).build();
        Event big = Event.to(destination())
                .key("big")
                .type(eventType())
                .payload(bytes)
                .build();
        send(List.of(deliveryOf(empty), deliveryOf(big)));

        awaitResults(2);
        awaitArrivals(2);
        assertArrived(empty);
        assertArrived(big);
    }

    @Test
    void resultsBelongToTheSendAndNotToTheEvent() {
        Delivery first = delivery("key");
        send(List.of(first));
        awaitResults(1);
        Delivery again = new Delivery(first.event(), first.sequence(), 2, 0, ++sends);
        send(List.of(again));
        awaitResults(2);

        assertThat(results.seen().stream().map(seen -> seen.delivery().sendId()))
                .containsExactly(first.sendId(), again.sendId());
    }

    @Test
    void eventsOfAKeyArriveInTheOrderOfSequentialSends() {
        List<UUID> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Delivery delivery = delivery("the-key");
            sent.add(delivery.event().id());
            send(List.of(delivery, delivery("other-" + i)));
            awaitResults(2 * (i + 1));
        }

        awaitArrivals(80);
        assertThat(arrived().stream()
                        .filter(arrival -> "the-key".equals(arrival.key()))
                        .map(Arrival::id))
                .containsExactlyElementsOf(sent);
    }

    @Test
    void anEmptyBatchIsNothing() {
        assertThatCode(() -> send(List.of())).doesNotThrowAnyException();
        send(List.of(delivery(null)));

        awaitResults(1);
        assertThat(results.seen()).hasSize(1);
    }

    @Test
    void closingTwiceIsClosingOnce() {
        send(List.of(delivery(null)));
        awaitResults(1);
        transport().close();

        assertThatCode(transport()::close).doesNotThrowAnyException();
    }

    @Test
    void aSendAfterCloseNeitherHangsNorPretendsToDeliver() {
        transport().close();
        CompletableFuture<Void> send = CompletableFuture.runAsync(() -> send(List.of(delivery(null))));

        assertThat(send.handle((done, failure) -> true))
                .as("send returns or throws")
                .succeedsWithin(patience().toMillis(), TimeUnit.MILLISECONDS);
        if (!send.isCompletedExceptionally()) {
            awaitResults(1);
            DeliveryResult result = results.seen().get(0).result();
            assertThat(result).isInstanceOfAny(DeliveryResult.Unavailable.class, DeliveryResult.Retry.class);
        }
    }

    private Transport transport() {
        if (opened == null) {
            throw new IllegalStateException("open() returned nothing.");
        }
        return opened;
    }

    private void send(List<Delivery> batch) {
        transport().send(batch, results);
    }

    private Delivery delivery(@Nullable String key) {
        Event.Builder event = Event.to(destination()).type(eventType());
        if (key != null) {
            event.key(key);
        }
        return deliveryOf(event.build());
    }

    private Delivery deliveryOf(Event event) {
        long id = ++sends;
        return new Delivery(event, id, 1, 0, id);
    }

    private void awaitResults(int count) {
        await(() -> results.seen().size() >= count);
    }

    private void awaitArrivals(int count) {
        await(() -> arrived().size() >= count);
    }

    private void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(patience())
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }

    private void assertArrived(Event event) {
        Arrival arrival = arrived().stream()
                .filter(candidate -> candidate.id().equals(event.id()))
                .findFirst()
                .orElseThrow();
        assertThat(arrival.key()).isEqualTo(event.key());
        assertThat(arrival.type()).isEqualTo(event.type());
        assertThat(arrival.payload()).isEqualTo(event.payload());
        assertThat(arrival.headers()).containsAllEntriesOf(event.headers());
    }
}
