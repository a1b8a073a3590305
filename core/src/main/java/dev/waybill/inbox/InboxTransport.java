package dev.waybill.inbox;

import dev.waybill.store.StoreException;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Delivers to consumers in the same process, each with an inbox of its own. Thread-safe.
 *
 * <p>An event has arrived when every consumer has taken it. One that fails, or takes nothing for a while, holds back
 * neither the others nor other keys: its events wait in its own siding. One whose store is down has no siding either, and
 * holds back the destination.
 */
public final class InboxTransport implements Transport {
    private final List<InboxConsumer<?>> consumers;
    private final Executor executor;

    private InboxTransport(List<InboxConsumer<?>> consumers, Executor executor) {
        this.consumers = consumers;
        this.executor = executor;
    }

    /**
     * Delivers to consumers on an executor, concurrently for different keys.
     *
     * @throws InboxCheckException if a consumer's {@linkplain InboxConsumer#check start-up check} fails
     */
    public static InboxTransport to(Executor executor, InboxConsumer<?>... consumers) {
        List<InboxConsumer<?>> all = List.of(consumers);
        if (all.stream().map(InboxConsumer::name).distinct().count() < all.size() || all.isEmpty()) {
            throw new IllegalArgumentException(
                    "An inbox transport needs at least one consumer, and each with a name of its own; found "
                            + all.stream().map(InboxConsumer::name).toList() + ".");
        }
        all.forEach(InboxConsumer::check);
        return new InboxTransport(all, executor);
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        for (Delivery delivery : batch) {
            try {
                executor.execute(() -> listener.onResult(delivery, deliver(delivery)));
            } catch (RejectedExecutionException e) {
                listener.onResult(
                        delivery, DeliveryResult.unavailable("The handlers' executor takes no more work: " + e));
            }
        }
    }

    /** All of them are tried, whatever happens at one: who has it already takes it for a duplicate next time. */
    private DeliveryResult deliver(Delivery delivery) {
        DeliveryResult result = DeliveryResult.delivered();
        for (InboxConsumer<?> consumer : consumers) {
            try {
                Receipt receipt = consumer.accept(delivery);
                if (receipt.kind() == Receipt.Kind.DEFERRED) {
                    receipt = consumer.putAside(delivery);
                }
                if (!receipt.isTaken()) {
                    result = DeliveryResult.retryAfter(
                            "Consumer " + consumer.name() + " has not finished an earlier try", receipt.retryAfter());
                }
            } catch (StoreException e) {
                result = DeliveryResult.unavailable("The inbox of consumer " + consumer.name() + " failed: " + e);
            }
        }
        return result;
    }

    /** The executor belongs to the caller and stays open. */
    @Override
    public void close() {}
}
