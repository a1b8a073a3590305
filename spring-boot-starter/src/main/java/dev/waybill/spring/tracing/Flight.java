package dev.waybill.spring.tracing;

import dev.waybill.event.Event;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.handler.TracingObservationHandler.TracingContext;
import io.micrometer.tracing.propagation.Propagator;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One delivery from its sending to its result, as an observation. Ended once, by whoever took it off the list. */
final class Flight {
    private static final Logger log = LoggerFactory.getLogger(Flight.class);

    private final Delivery original;
    private final Propagator propagator;
    private final long sentAt = System.nanoTime();
    private final Instant sentTime = Instant.now();
    private final Observation observation;
    private final Delivery traced;

    Flight(Delivery delivery, String transport, ObservationRegistry registry, Propagator propagator) {
        original = delivery;
        this.propagator = propagator;
        ReceiverContext<Map<String, String>> context = new ReceiverContext<>(Map::get, Kind.PRODUCER);
        context.setCarrier(delivery.event().headers());
        observation = start(delivery, transport, context, registry);
        traced = traced(context);
    }

    Delivery original() {
        return original;
    }

    /** The delivery whose event carries the context of this one in place of that of its publisher. */
    Delivery traced() {
        return traced;
    }

    long sentAt() {
        return sentAt;
    }

    void end(DeliveryResult result) {
        String outcome = "delivered";
        if (result instanceof DeliveryResult.Retry retry) {
            outcome = "retry";
            fail(retry.reason());
        } else if (result instanceof DeliveryResult.Rejected rejected) {
            outcome = "rejected";
            fail(rejected.reason());
        } else if (result instanceof DeliveryResult.Unavailable unavailable) {
            outcome = "unavailable";
            fail(unavailable.reason());
        }
        end(outcome);
    }

    /** Ends one that never got a result. */
    void expire() {
        fail("No result");
        end("timeout");
    }

    private void end(String outcome) {
        observation.lowCardinalityKeyValue("outcome", outcome).stop();
        // While the destination is down an event stays in the outbox: what probes it is no attempt.
        if (original.attempt() == 1 && original.replay() == 0 && !outcome.equals("unavailable")) {
            traceWait();
        }
    }

    private void fail(String reason) {
        observation.error(new DeliveryFailure(reason.lines().findFirst().orElse("")));
    }

    /**
     * The time in the outbox, told in hindsight: who published may be another process, and nobody else knows when the wait
     * was over.
     */
    private void traceWait() {
        Event event = original.event();
        if (!TraceHeaders.isTraced(propagator, event)) {
            return;
        }
        Instant since = event.occurredAt().isBefore(sentTime) ? event.occurredAt() : sentTime;
        Span span = propagator
                .extract(event.headers(), Map::get)
                .name("outbox " + event.destination())
                .startTimestamp(micros(since), TimeUnit.MICROSECONDS)
                .tag("destination", event.destination())
                .tag("type", event.type())
                .tag("event.id", event.id().toString())
                .start();
        span.end(micros(sentTime), TimeUnit.MICROSECONDS);
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private Delivery traced(ReceiverContext<?> context) {
        TracingContext tracing = context.get(TracingContext.class);
        Span span = tracing == null ? null : tracing.getSpan();
        if (span == null) {
            return original;
        }
        Event event = TraceHeaders.inject(propagator, span.context(), original.event());
        return new Delivery(event, original.sequence(), original.attempt(), original.replay(), original.sendId());
    }

    private static Observation start(
            Delivery delivery, String transport, ReceiverContext<?> context, ObservationRegistry registry) {
        Event event = delivery.event();
        try {
            return Observation.createNotStarted("waybill.delivery", () -> context, registry)
                    .contextualName("deliver " + event.destination())
                    .lowCardinalityKeyValue("destination", event.destination())
                    .lowCardinalityKeyValue("type", event.type())
                    .lowCardinalityKeyValue("transport", transport)
                    .highCardinalityKeyValue("event.id", event.id().toString())
                    .highCardinalityKeyValue("sequence", Long.toString(delivery.sequence()))
                    .highCardinalityKeyValue("attempt", Integer.toString(delivery.attempt()))
                    .start();
        } catch (RuntimeException e) {
            log.debug("The delivery of event {} cannot be observed", event.id(), e);
            return Observation.NOOP;
        }
    }
}
