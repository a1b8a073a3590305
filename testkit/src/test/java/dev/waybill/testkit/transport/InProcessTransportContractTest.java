package dev.waybill.testkit.transport;

import dev.waybill.event.Event;
import dev.waybill.transport.InProcessTransport;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;

class InProcessTransportContractTest extends TransportContract {
    private final Queue<Event> handled = new ConcurrentLinkedQueue<>();
    private final ExecutorService executor = Executors.newFixedThreadPool(3);

    @Override
    protected Transport open() {
        InProcessTransport transport = InProcessTransport.builder()
                .on(eventType(), delivery -> handled.add(delivery.event()))
                .executor(executor)
                .build();
        return new ClosingItsExecutor(transport, executor);
    }

    @AfterEach
    void stopExecutor() {
        executor.shutdownNow();
    }

    @Override
    protected String destination() {
        return "handlers";
    }

    @Override
    protected List<Arrival> arrived() {
        return handled.stream().map(Arrival::of).toList();
    }
}
