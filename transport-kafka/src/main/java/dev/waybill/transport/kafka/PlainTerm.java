package dev.waybill.transport.kafka;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.Term;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A term in name only, where the cluster has no transactions for us: nothing is fenced, and nothing is known. Thread-safe. */
record PlainTerm(Transport transport) implements Term {

    @Override
    public List<Arrived> arrived() {
        return List.of();
    }

    @Override
    public void settled(long sequence) {}

    @Override
    public CompletionStage<String> ended() {
        return new CompletableFuture<>();
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        transport.send(batch, listener);
    }

    @Override
    public boolean keepsOrder() {
        return transport.keepsOrder();
    }

    @Override
    public void close() {}
}
