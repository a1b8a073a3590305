package dev.waybill.testkit.transport;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** The in-process transport leaves its executor to the caller: here the caller closes both, as an application would. */
record ClosingItsExecutor(Transport transport, ExecutorService executor) implements Transport {

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        transport.send(batch, listener);
    }

    @Override
    public void close() {
        transport.close();
        executor.shutdown();
    }
}
