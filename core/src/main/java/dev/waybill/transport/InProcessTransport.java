package dev.waybill.transport;

import dev.waybill.event.EventTypes;
import dev.waybill.event.PayloadCodecException;
import dev.waybill.event.UnknownEventTypeException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * Delivers to handlers in the same JVM, one for each event type. Thread-safe.
 *
 * <p>An event whose type has no handler is rejected, so that it becomes a visible dead letter; it never counts as
 * delivered. Handlers run on the executor, concurrently for different keys.
 */
public final class InProcessTransport implements Transport {
    private final Map<String, EventHandler> handlers;
    private final Executor executor;

    private InProcessTransport(Builder builder) {
        handlers = Map.copyOf(builder.handlers);
        executor = builder.executor;
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        for (Delivery delivery : batch) {
            try {
                executor.execute(() -> listener.onResult(delivery, handle(delivery)));
            } catch (RejectedExecutionException e) {
                listener.onResult(
                        delivery, DeliveryResult.unavailable("The handlers' executor takes no more work: " + e));
            }
        }
    }

    private DeliveryResult handle(Delivery delivery) {
        EventHandler handler = handlers.get(delivery.event().type());
        if (handler == null) {
            return DeliveryResult.rejected("No handler for event type "
                    + delivery.event().type() + "; there are handlers for " + new TreeSet<>(handlers.keySet()) + ".");
        }
        try {
            handler.handle(delivery);
            return DeliveryResult.delivered();
        } catch (UnknownEventTypeException | PayloadCodecException e) {
            return DeliveryResult.rejected(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DeliveryResult.retry(e.toString());
        } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
            return e instanceof NonRetryableException
                    ? DeliveryResult.rejected(e.toString())
                    : DeliveryResult.retry(e.toString());
        }
    }

    /** The executor belongs to the caller and stays open. */
    @Override
    public void close() {}

    /** Collects handlers; not thread-safe. */
    public static final class Builder {
        private final Map<String, EventHandler> handlers = new HashMap<>();
        private Executor executor = Runnable::run;

        private Builder() {}

        /** Handles the events of a type, each type by one handler. */
        public Builder on(String type, EventHandler handler) {
            if (handlers.putIfAbsent(type, handler) != null) {
                throw new IllegalArgumentException("Event type " + type + " has a handler already.");
            }
            return this;
        }

        /** Handles the events of a type with their typed value. What cannot be decoded is rejected. */
        public <T> Builder on(String type, EventTypes types, Class<T> valueClass, BiConsumer<T, Delivery> handler) {
            return on(type, delivery -> {
                Object value = types.decode(delivery.event());
                if (!valueClass.isInstance(value)) {
                    throw new RejectedEventException("Event type " + type + " version "
                            + delivery.event().version()
                            + " is registered as " + value.getClass().getName() + ", but its handler takes "
                            + valueClass.getName() + ".");
                }
                handler.accept(valueClass.cast(value), delivery);
            });
        }

        /**
         * Where handlers run. The default runs them on the relay's own thread: fine for quick ones, but a handler that
         * takes longer than the relay's lease would cost it its shards.
         */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        public InProcessTransport build() {
            return new InProcessTransport(this);
        }
    }
}
