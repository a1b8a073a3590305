package dev.waybill.spring.tracing;

import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.SizeLimited;
import dev.waybill.transport.Term;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.propagation.Propagator;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Observes the deliveries of a transport with a ledger: its terms are what they were, and are observed too. Thread-safe. */
final class TracedLedger extends TracingTransport implements LedgerTransport, SizeLimited {
    private final LedgerTransport ledger;

    TracedLedger(
            LedgerTransport ledger,
            String name,
            ObservationRegistry registry,
            Propagator propagator,
            Duration timeout) {
        super(ledger, name, registry, propagator, timeout);
        this.ledger = ledger;
    }

    @Override
    public CompletionStage<Term> begin(int group) {
        return ledger.begin(group).thenApply(term -> Term.wrap(term, (batch, listener) -> send(term, batch, listener)));
    }

    @Override
    public int maxPayloadBytes() {
        return ledger instanceof SizeLimited limited ? limited.maxPayloadBytes() : Integer.MAX_VALUE;
    }
}
