package dev.waybill.spring.tracing;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.propagation.Propagator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes the deliveries of a transport. Thread-safe.
 *
 * <p>What is under way is kept until its result, or until its time-out has passed: no more than the windows of the
 * relays. Nothing that goes wrong with a trace touches a delivery.
 */
class TracingTransport implements Transport {
    private static final Logger log = LoggerFactory.getLogger(TracingTransport.class);
    private static final long SWEEP_INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final Transport transport;
    private final String name;
    private final ObservationRegistry registry;
    private final Propagator propagator;
    private final long timeout;
    private final Set<Flight> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicLong nextSweep = new AtomicLong(System.nanoTime() + SWEEP_INTERVAL);

    TracingTransport(
            Transport transport, String name, ObservationRegistry registry, Propagator propagator, Duration timeout) {
        this.transport = transport;
        this.name = name;
        this.registry = registry;
        this.propagator = propagator;
        this.timeout = timeout.toNanos();
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        send(transport, batch, listener);
    }

    /** Sends through the transport, or through a term with it. */
    final void send(Transport through, List<Delivery> batch, DeliveryListener listener) {
        sweep();
        // By the ids of this batch alone: several relays may share a transport, each with ids of its own.
        Map<Long, Flight> flights = new HashMap<>();
        List<Delivery> traced = new ArrayList<>(batch.size());
        for (Delivery delivery : batch) {
            Flight flight = new Flight(delivery, name, registry, propagator);
            underWay.add(flight);
            flights.put(delivery.sendId(), flight);
            traced.add(flight.traced());
        }
        try {
            through.send(traced, (delivery, result) -> {
                Flight flight = flights.get(delivery.sendId());
                if (flight == null) {
                    listener.onResult(delivery, result);
                } else {
                    land(flight, result);
                    listener.onResult(flight.original(), result);
                }
            });
        } catch (RuntimeException | Error e) {
            flights.values().forEach(flight -> land(flight, DeliveryResult.retry("The transport threw " + e)));
            throw e;
        }
    }

    private void land(Flight flight, DeliveryResult result) {
        if (underWay.remove(flight)) {
            safely(() -> flight.end(result));
        }
    }

    /** Ends what no result came for. Nothing is lost by doing it late, so it needs no thread of its own. */
    private void sweep() {
        long now = System.nanoTime();
        long due = nextSweep.get();
        if (now - due < 0 || !nextSweep.compareAndSet(due, now + SWEEP_INTERVAL)) {
            return;
        }
        underWay.stream()
                .filter(flight -> now - flight.sentAt() > timeout)
                .toList()
                .forEach(this::giveUp);
    }

    private void giveUp(Flight flight) {
        if (underWay.remove(flight)) {
            safely(flight::expire);
        }
    }

    private static void safely(Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            log.debug("A delivery could not be traced", e);
        }
    }

    int underWay() {
        return underWay.size();
    }

    @Override
    public boolean keepsOrder() {
        return transport.keepsOrder();
    }

    @Override
    public void close() {
        try {
            transport.close();
        } finally {
            List.copyOf(underWay).forEach(this::giveUp);
        }
    }

    @Override
    public String toString() {
        return transport.toString();
    }
}
