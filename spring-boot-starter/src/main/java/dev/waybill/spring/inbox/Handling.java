package dev.waybill.spring.inbox;

import dev.waybill.event.PayloadCodec;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.spring.Upcast;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/**
 * What the handlers of all consumers share. Immutable.
 *
 * @param codec        reads payloads
 * @param upcasts      bring older versions of events to newer ones
 * @param interceptors stand around every try, the first outermost
 * @param guard        holds handlers back that would only fail
 * @param registry     where consumers count
 */
public record Handling(
        PayloadCodec codec,
        List<Upcast> upcasts,
        List<HandlerInterceptor> interceptors,
        HandlerGuard guard,
        MeterRegistry registry) {

    public Handling {
        upcasts = List.copyOf(upcasts);
        interceptors = List.copyOf(interceptors);
    }
}
