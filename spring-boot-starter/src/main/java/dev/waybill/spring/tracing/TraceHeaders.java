package dev.waybill.spring.tracing;

import dev.waybill.event.Event;
import dev.waybill.spring.EventCustomizer;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives an event the context of the span that publishes it. Thread-safe. */
public final class TraceHeaders implements EventCustomizer {
    private static final Logger log = LoggerFactory.getLogger(TraceHeaders.class);

    private final Tracer tracer;
    private final Propagator propagator;

    public TraceHeaders(Tracer tracer, Propagator propagator) {
        this.tracer = tracer;
        this.propagator = propagator;
    }

    /** {@inheritDoc} A context that the application gave the event itself stays. */
    @Override
    public Event customize(Event event) {
        Span current = tracer.currentSpan();
        if (current == null || isTraced(propagator, event)) {
            return event;
        }
        return inject(propagator, current.context(), event);
    }

    static boolean isTraced(Propagator propagator, Event event) {
        return propagator.fields().stream().anyMatch(event.headers()::containsKey);
    }

    /** The event with another context; as it is if the context cannot be a header: a trace is no reason to lose an event. */
    static Event inject(Propagator propagator, TraceContext context, Event event) {
        Map<String, String> headers = new HashMap<>();
        try {
            propagator.inject(context, headers, Map::put);
            return event.withHeaders(headers);
        } catch (RuntimeException e) {
            log.debug("Event {} goes without the context of its trace: {}", event.id(), e.getMessage());
            return event;
        }
    }
}
