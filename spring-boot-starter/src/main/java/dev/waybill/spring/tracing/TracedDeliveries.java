package dev.waybill.spring.tracing;

import dev.waybill.spring.TransportCustomizer;
import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.SizeLimited;
import dev.waybill.transport.Transport;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.propagation.Propagator;
import java.time.Duration;

/** Lets every delivery of a transport be a part of the trace that its event carries. Thread-safe. */
public final class TracedDeliveries implements TransportCustomizer {
    private final ObservationRegistry registry;
    private final Propagator propagator;
    private final Duration timeout;

    /**
     * Traces deliveries.
     *
     * @param timeout after which a relay takes a delivery without a result for failed
     */
    public TracedDeliveries(ObservationRegistry registry, Propagator propagator, Duration timeout) {
        this.registry = registry;
        this.propagator = propagator;
        this.timeout = timeout;
    }

    @Override
    public Transport customize(String name, Transport transport) {
        if (transport instanceof LedgerTransport ledger) {
            return new TracedLedger(ledger, name, registry, propagator, timeout);
        }
        return transport instanceof SizeLimited limited
                ? new Limited(name, transport, limited)
                : new TracingTransport(transport, name, registry, propagator, timeout);
    }

    /** Says what it wraps says: whoever asks for the limit must not miss it. */
    private final class Limited extends TracingTransport implements SizeLimited {
        private final SizeLimited limited;

        Limited(String name, Transport transport, SizeLimited limited) {
            super(transport, name, registry, propagator, timeout);
            this.limited = limited;
        }

        @Override
        public int maxPayloadBytes() {
            return limited.maxPayloadBytes();
        }
    }
}
