package dev.waybill.testkit.relay;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A destination that a test answers for, at once by a rule or later by hand. Used by one thread. */
final class ManualTransport implements Transport {
    private record Sent(Delivery delivery, DeliveryListener listener) {}

    private final List<Sent> sent = new ArrayList<>();
    private boolean keepsOrder;
    private Function<Delivery, Optional<DeliveryResult>> rule = delivery -> Optional.of(DeliveryResult.delivered());

    /** How every delivery is answered from now on; empty: not at once. */
    void answering(Function<Delivery, Optional<DeliveryResult>> newRule) {
        rule = newRule;
    }

    void answeringAll(DeliveryResult result) {
        answering(delivery -> Optional.of(result));
    }

    void answeringNothing() {
        answering(delivery -> Optional.empty());
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        for (Delivery delivery : batch) {
            sent.add(new Sent(delivery, listener));
            rule.apply(delivery).ifPresent(result -> listener.onResult(delivery, result));
        }
    }

    /** From now on it gets several entries of a key together. */
    void keepingOrder() {
        keepsOrder = true;
    }

    @Override
    public boolean keepsOrder() {
        return keepsOrder;
    }

    /** Answers the n-th delivery that was ever sent, perhaps again. */
    void answer(int index, DeliveryResult result) {
        Sent one = sent.get(index);
        one.listener.onResult(one.delivery, result);
    }

    List<Delivery> sent() {
        return sent.stream().map(Sent::delivery).toList();
    }

    /** The payload texts of all deliveries, in the order of sends. */
    List<String> texts() {
        return sent.stream().map(one -> one.delivery.event().payload().utf8()).toList();
    }

    @Override
    public void close() {}
}
