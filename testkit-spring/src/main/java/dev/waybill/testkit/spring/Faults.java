package dev.waybill.testkit.spring;

import dev.waybill.inbox.HandlerGuard;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.spring.TransportCustomizer;
import dev.waybill.testkit.transport.Fault;
import dev.waybill.testkit.transport.FaultyTransport;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets the next deliveries and handlings of a test go wrong. Thread-safe. */
public final class Faults implements TransportCustomizer, HandlerInterceptor {
    private final Map<String, Queue<Fault>> deliveries = new ConcurrentHashMap<>();
    private final Map<String, Queue<Supplier<? extends Exception>>> handlings = new ConcurrentHashMap<>();
    private final Set<String> down = ConcurrentHashMap.newKeySet();

    Faults() {}

    /** The next deliveries to a destination fail, and are tried again. */
    public Faults failNext(String destination, int times) {
        return next(destination, times, Fault.retry("A failure, as planned."));
    }

    /** The next deliveries to a destination are refused for ever: dead letters. */
    public Faults rejectNext(String destination, int times) {
        return next(destination, times, Fault.rejected("A rejection, as planned."));
    }

    /** The next deliveries to a destination find it down: it is paused and probed, and no attempt is spent. */
    public Faults unavailableNext(String destination, int times) {
        return next(destination, times, Fault.unavailable("An outage, as planned."));
    }

    /** The next deliveries to a destination arrive, but the relay learns the opposite and sends them again. */
    public Faults loseAcknowledgementOfNext(String destination, int times) {
        return next(
                destination,
                times,
                new Fault(
                        Duration.ZERO,
                        false,
                        Duration.ZERO,
                        List.of(new Fault.Answer(
                                Duration.ZERO, DeliveryResult.retry("A lost acknowledgement, as planned.")))));
    }

    /** The next deliveries to a destination get a fault of the test's own. */
    public Faults next(String destination, int times, Fault fault) {
        deliveries
                .computeIfAbsent(destination, name -> new ConcurrentLinkedQueue<>())
                .addAll(Collections.nCopies(times, fault));
        return this;
    }

    /** A destination is down until {@link #bringUp}. */
    public Faults takeDown(String destination) {
        down.add(destination);
        return this;
    }

    public Faults bringUp(String destination) {
        down.remove(destination);
        return this;
    }

    /** The next handlings of a consumer throw before its handler is called. */
    public Faults failHandler(String consumer, int times) {
        return failHandler(consumer, times, () -> new IllegalStateException("A failing handler, as planned."));
    }

    /** The next handlings of a consumer throw this before its handler is called. */
    public Faults failHandler(String consumer, int times, Supplier<? extends Exception> exception) {
        handlings
                .computeIfAbsent(consumer, name -> new ConcurrentLinkedQueue<>())
                .addAll(Collections.nCopies(times, exception));
        return this;
    }

    /** Nothing goes wrong any more. */
    public void reset() {
        deliveries.clear();
        handlings.clear();
        down.clear();
    }

    @Override
    public Transport customize(String name, Transport transport) {
        return new FaultyTransport(transport, this::fault);
    }

    private Fault fault(Delivery delivery) {
        String destination = delivery.event().destination();
        if (down.contains(destination)) {
            return Fault.unavailable("An outage, as planned.");
        }
        Fault fault = poll(deliveries.get(destination));
        return fault == null ? Fault.none() : fault;
    }

    @Override
    public void around(String consumer, Delivery delivery, HandlerGuard.Attempt attempt) throws Exception {
        Supplier<? extends Exception> exception = poll(handlings.get(consumer));
        if (exception != null) {
            throw exception.get();
        }
        attempt.run();
    }

    private static <T> @Nullable T poll(@Nullable Queue<T> planned) {
        return planned == null ? null : planned.poll();
    }
}
