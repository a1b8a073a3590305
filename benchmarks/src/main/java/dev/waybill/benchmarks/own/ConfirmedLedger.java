package dev.waybill.benchmarks.own;

import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.Term;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Tells the receiver what a transport with a ledger has delivered. */
record ConfirmedLedger(LedgerTransport other, Receiver receiver) implements LedgerTransport {

    @Override
    public CompletionStage<Term> begin(int group) {
        return other.begin(group).thenApply(term -> Term.wrap(term, new ConfirmedTransport(term, receiver)::send));
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        new ConfirmedTransport(other, receiver).send(batch, listener);
    }

    @Override
    public void close() {
        other.close();
    }
}
