package dev.waybill.testkit.sim;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.Transport;
import java.util.List;

/** The way from one relay to the consumer whose siding it works off. Not thread-safe. */
final class SimSiding implements Transport {
    private final SimRelay relay;
    private final Transport siding;

    SimSiding(SimRelay relay, Transport siding) {
        this.relay = relay;
        this.siding = siding;
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        relay.sending(batch);
        siding.send(batch, (delivery, result) -> {
            relay.answered(delivery, result);
            listener.onResult(delivery, result);
        });
    }

    @Override
    public void close() {}
}
