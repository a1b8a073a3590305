package dev.waybill.testkit.transport;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A transport on which things go wrong as planned: refusals, outages, delays, lost messages and answers, answers that come
 * twice or contradict each other, calls that hang or throw. Thread-safe if its parts are.
 *
 * <p>Deliveries reach the target one by one. With a {@link Timer} of virtual time it runs without threads.
 */
public final class FaultyTransport implements Transport {
    private final Transport target;
    private final FaultPlan plan;
    private final Timer timer;
    private final @Nullable RealTimer ownTimer;
    private final Set<String> down = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** In real time. */
    public FaultyTransport(Transport target, FaultPlan plan) {
        this.target = target;
        this.plan = plan;
        ownTimer = new RealTimer();
        timer = ownTimer;
    }

    /** In the time of the timer, which stays open. */
    public FaultyTransport(Transport target, FaultPlan plan, Timer timer) {
        this.target = target;
        this.plan = plan;
        this.timer = timer;
        ownTimer = null;
    }

    /** From now on every delivery to the destination is answered as unavailable. */
    public void takeDown(String destination) {
        down.add(destination);
    }

    /** Ends the outage of the destination, if there is one. */
    public void bringUp(String destination) {
        down.remove(destination);
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        for (Delivery delivery : batch) {
            if (closed) {
                listener.onResult(delivery, DeliveryResult.unavailable("The transport is closed."));
            } else if (down.contains(delivery.event().destination())) {
                listener.onResult(delivery, DeliveryResult.unavailable("An outage, as planned."));
            } else {
                send(delivery, plan.next(delivery), listener);
            }
        }
    }

    private void send(Delivery delivery, Fault fault, DeliveryListener listener) {
        if (!fault.sendTakes().isZero()) {
            timer.block(fault.sendTakes());
        }
        if (fault.sendThrows()) {
            throw new IllegalStateException("A failing send, as planned.");
        }
        // First the arrival: an answer must not speak of what has not happened yet.
        Duration arrivesAfter = fault.arrivesAfter();
        if (arrivesAfter != null) {
            after(
                    arrivesAfter,
                    () -> target.send(List.of(delivery), (same, result) -> passOn(same, fault, result, listener)));
        }
        for (Fault.Answer answer : fault.answers()) {
            DeliveryResult result = answer.result();
            if (result != null) {
                after(answer.after(), () -> listener.onResult(delivery, result));
            }
        }
    }

    private void passOn(Delivery delivery, Fault fault, DeliveryResult result, DeliveryListener listener) {
        for (Fault.Answer answer : fault.answers()) {
            if (answer.result() == null) {
                after(answer.after(), () -> listener.onResult(delivery, result));
            }
        }
    }

    private void after(Duration delay, Runnable action) {
        if (delay.isZero()) {
            action.run();
        } else {
            timer.schedule(delay, () -> {
                if (!closed) {
                    action.run();
                }
            });
        }
    }

    @Override
    public void close() {
        closed = true;
        if (ownTimer != null) {
            ownTimer.close();
        }
        target.close();
    }
}
