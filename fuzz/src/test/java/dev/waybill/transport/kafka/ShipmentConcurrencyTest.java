package dev.waybill.transport.kafka;

import dev.waybill.event.Event;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Kafka, a time-out and a closing transport may all answer for a shipment; the relay hears one of them. */
public class ShipmentConcurrencyTest {
    private static final Delivery DELIVERY =
            new Delivery(Event.to("orders").type("t").build(), 1, 1, 0, 1);

    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Shipment shipment =
            new Shipment(DELIVERY, (delivery, result) -> answers.incrementAndGet(), closed::get, 0);

    @Operation
    public void acknowledge() {
        shipment.answer(DeliveryResult.delivered());
    }

    @Operation
    public void timeOut() {
        shipment.answer(DeliveryResult.retry("too late"));
    }

    @Operation
    public boolean heardTwice() {
        return answers.get() > 1;
    }

    @Test
    void theRelayHearsOneAnswer() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .actorsPerThread(2)
                .check(getClass());
    }
}
