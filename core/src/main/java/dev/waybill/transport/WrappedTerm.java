package dev.waybill.transport;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** A term that is another one, except for how it sends. Thread-safe if these are. */
final class WrappedTerm implements Term {
    private final Term term;
    private final BiConsumer<List<Delivery>, DeliveryListener> send;

    WrappedTerm(Term term, BiConsumer<List<Delivery>, DeliveryListener> send) {
        this.term = term;
        this.send = send;
    }

    @Override
    public List<Arrived> arrived() {
        return term.arrived();
    }

    @Override
    public void settled(long sequence) {
        term.settled(sequence);
    }

    @Override
    public CompletionStage<String> ended() {
        return term.ended();
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        send.accept(batch, listener);
    }

    @Override
    public boolean keepsOrder() {
        return term.keepsOrder();
    }

    @Override
    public void close() {
        term.close();
    }

    @Override
    public String toString() {
        return term.toString();
    }
}
