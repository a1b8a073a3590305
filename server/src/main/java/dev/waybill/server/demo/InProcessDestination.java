package dev.waybill.server.demo;

import dev.waybill.inbox.InboxTransport;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.InProcessTransport;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Handlers in this JVM, behind a hatch that can be shut. Thread-safe. */
final class InProcessDestination implements DemoDestination {
    private static final int THREADS = 2;

    private final Transport handlers;
    private final Runnable end;
    private volatile boolean up = true;

    private InProcessDestination(Transport handlers, Runnable end) {
        this.handlers = handlers;
        this.end = end;
    }

    /** A plain handler. */
    static InProcessDestination to(Ledger ledger) {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "demo-consumer");
            thread.setDaemon(true);
            return thread;
        });
        InProcessTransport handlers = InProcessTransport.builder()
                .on(
                        Shop.EVENT_TYPE,
                        delivery -> ledger.delivered(delivery.event().id()))
                .executor(executor)
                .build();
        return new InProcessDestination(handlers, executor::shutdownNow);
    }

    /** A consumer with an inbox, which its owner closes. */
    static InProcessDestination to(FaultyConsumer consumer) {
        return new InProcessDestination(InboxTransport.to(consumer.threads(), consumer.consumer()), () -> {});
    }

    @Override
    public String description() {
        return "in-process";
    }

    @Override
    public String name() {
        return "consumer";
    }

    @Override
    public Transport transport() {
        return new Hatch();
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public boolean canGoDown() {
        return true;
    }

    @Override
    public void goDown() {
        up = false;
    }

    @Override
    public void comeUp() {
        up = true;
    }

    /** A delivery is answered after it was handled. */
    @Override
    public boolean awaitArrivals(Duration atMost) {
        return true;
    }

    @Override
    public void close() {
        end.run();
    }

    private final class Hatch implements Transport {
        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            if (up) {
                handlers.send(batch, listener);
            } else {
                DeliveryResult down = DeliveryResult.unavailable("the consumer is down");
                batch.forEach(delivery -> listener.onResult(delivery, down));
            }
        }

        /** Nothing: relays come and go, the consumer stays. */
        @Override
        public void close() {}
    }
}
