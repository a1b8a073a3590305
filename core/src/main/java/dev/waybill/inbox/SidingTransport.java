package dev.waybill.inbox;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/** From the siding to the consumer. Thread-safe. */
final class SidingTransport implements Transport {
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);

    private final InboxConsumer<?> consumer;
    private final Executor executor;
    private final Function<Duration, Executor> later;
    private volatile boolean closed;

    SidingTransport(InboxConsumer<?> consumer, Executor executor, Function<Duration, Executor> later) {
        this.consumer = consumer;
        this.executor = executor;
        this.later = later;
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        batch.forEach(delivery -> start(executor, delivery, listener));
    }

    private void start(Executor where, Delivery delivery, DeliveryListener listener) {
        try {
            where.execute(() -> run(delivery, listener));
        } catch (RejectedExecutionException e) {
            listener.onResult(delivery, DeliveryResult.unavailable("The handlers' executor takes no more work: " + e));
        }
    }

    private void run(Delivery delivery, DeliveryListener listener) {
        Retrial retrial = consumer.retry(delivery);
        DeliveryResult result = retrial.result();
        if (result != null) {
            listener.onResult(delivery, result);
        } else if (!closed) {
            Duration wait = retrial.after().compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : retrial.after();
            start(later.apply(wait), delivery, listener);
        }
    }

    /** The executor belongs to the caller and stays open. */
    @Override
    public void close() {
        closed = true;
    }
}
