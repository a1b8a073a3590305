package dev.waybill.server.demo;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.InProcessTransport;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What the shop's events go to: it enters every arrival into the ledger, and can be taken down. Thread-safe. */
final class Consumer implements Transport {
    private static final int THREADS = 2;

    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "demo-consumer");
        thread.setDaemon(true);
        return thread;
    });
    private final InProcessTransport handlers;
    private volatile boolean up = true;

    Consumer(Ledger ledger) {
        handlers = InProcessTransport.builder()
                .on(
                        Shop.EVENT_TYPE,
                        delivery -> ledger.delivered(delivery.event().id()))
                .executor(executor)
                .build();
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        if (up) {
            handlers.send(batch, listener);
        } else {
            DeliveryResult down = DeliveryResult.unavailable("the consumer is down");
            batch.forEach(delivery -> listener.onResult(delivery, down));
        }
    }

    boolean isUp() {
        return up;
    }

    void goDown() {
        up = false;
    }

    void comeUp() {
        up = true;
    }

    /** Nothing: relays come and go, the consumer stays until {@link #stop}. */
    @Override
    public void close() {}

    void stop() {
        executor.shutdownNow();
    }
}
