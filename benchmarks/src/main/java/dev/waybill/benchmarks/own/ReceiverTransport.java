package dev.waybill.benchmarks.own;

import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.List;

/** Hands every delivery to the receiver, on the relay's thread, and does nothing else. */
record ReceiverTransport(Receiver receiver, Destinations destinations) implements Transport {

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        for (Delivery delivery : batch) {
            listener.onResult(delivery, deliver(delivery));
        }
    }

    private DeliveryResult deliver(Delivery delivery) {
        if (destinations == Destinations.SECOND_IS_DOWN
                && delivery.event().destination().equals(Destinations.SECOND)) {
            return DeliveryResult.unavailable("down for the benchmark");
        }
        try {
            receiver.received(
                    String.valueOf(delivery.event().key()),
                    delivery.event().payload().bytes());
            return DeliveryResult.delivered();
        } catch (RuntimeException e) {
            return DeliveryResult.retry(e.toString());
        }
    }

    @Override
    public void close() {}
}
