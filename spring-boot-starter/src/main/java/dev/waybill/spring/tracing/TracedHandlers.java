package dev.waybill.spring.tracing;

import dev.waybill.event.Event;
import dev.waybill.inbox.DeferredException;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.NonRetryableException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;

/**
 * Observes every try of a handler, as a part of the trace that the event carries. Thread-safe.
 *
 * <p>The observation is current while the handler runs, so that its logs and calls belong to the trace.
 */
public final class TracedHandlers implements HandlerInterceptor {
    private final ObservationRegistry registry;

    public TracedHandlers(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void around(String consumer, Delivery delivery, HandlerGuard.Attempt attempt) throws Exception {
        Observation observation = start(consumer, delivery);
        Observation.Scope scope = observation.openScope();
        String outcome = "handled";
        try {
            attempt.run();
        } catch (Throwable e) {
            outcome = outcome(e);
            if (!(e instanceof DeferredException)) {
                observation.error(e);
            }
            throw e;
        } finally {
            scope.close();
            observation.lowCardinalityKeyValue("outcome", outcome);
            observation.stop();
        }
    }

    private Observation start(String consumer, Delivery delivery) {
        Event event = delivery.event();
        ReceiverContext<Map<String, String>> context = new ReceiverContext<>(Map::get, Kind.CONSUMER);
        context.setCarrier(event.headers());
        return Observation.createNotStarted("waybill.handler", () -> context, registry)
                .contextualName("handle " + event.type())
                .lowCardinalityKeyValue("consumer", consumer)
                .lowCardinalityKeyValue("type", event.type())
                .highCardinalityKeyValue("event.id", event.id().toString())
                .highCardinalityKeyValue("attempt", Integer.toString(delivery.attempt()))
                .start();
    }

    private static String outcome(Throwable failure) {
        if (failure instanceof DeferredException) {
            return "deferred";
        }
        return failure instanceof NonRetryableException ? "rejected" : "failed";
    }
}
