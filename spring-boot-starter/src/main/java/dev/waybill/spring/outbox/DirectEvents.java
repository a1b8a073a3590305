package dev.waybill.spring.outbox;

import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.TransactionalOutbox;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ShardSet;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Sends events straight after the commit and stores nothing: what fails is lost. Thread-safe.
 *
 * <p>Events of a key are sent one after the other within a transaction; between transactions there is no order.
 */
final class DirectEvents implements EventSink {
    private static final Logger log = LoggerFactory.getLogger(DirectEvents.class);

    private final TransactionalOutbox<Object> limits;
    private final Supplier<DirectRoutes> routes;
    private final MeterRegistry registry;
    private final AtomicLong sends = new AtomicLong();

    /**
     * Sends along some routes.
     *
     * @param routes asked for after a commit, because the handlers behind them may publish themselves
     */
    DirectEvents(OutboxConfig config, Supplier<DirectRoutes> routes, MeterRegistry registry) {
        this.limits = new TransactionalOutbox<>(new NoTables(), config, registry);
        this.routes = routes;
        this.registry = registry;
    }

    @Override
    public void check(List<Event> events) {
        for (Event event : events) {
            if (event.availableAt() != null) {
                throw new UnsupportedOperationException("Event " + event.id() + " is to be delivered later, and nothing"
                        + " is stored meanwhile: set waybill.outbox.enabled=true, or publish it when it is due.");
            }
        }
        limits.check(events);
    }

    @Override
    public void write(List<Event> events) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                if (status == STATUS_COMMITTED) {
                    writeAlone(events);
                }
            }
        });
    }

    /** Nothing waits here that could be cancelled. */
    @Override
    public boolean cancel(UUID id) {
        return false;
    }

    @Override
    public void committed(ShardSet shards) {}

    @Override
    public void writeAlone(List<Event> events) {
        Map<Object, Line> lines = new LinkedHashMap<>();
        for (Event event : events) {
            String key = event.key();
            Object line = key == null ? event.id() : new OrderKey(event.destination(), key);
            lines.computeIfAbsent(line, k -> new Line()).waiting.add(event);
        }
        lines.values().forEach(Line::sendNext);
    }

    /** Events of a key: the next one goes after the result of the one before, whatever it is. */
    private final class Line {
        private final Queue<Event> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicInteger turns = new AtomicInteger();

        /** A result that comes within the call takes another turn of the loop instead of another frame of the stack. */
        void sendNext() {
            if (turns.getAndIncrement() > 0) {
                return;
            }
            do {
                Event next = waiting.poll();
                if (next != null) {
                    send(next);
                }
            } while (turns.decrementAndGet() > 0);
        }

        private void send(Event event) {
            AtomicBoolean answered = new AtomicBoolean();
            Delivery delivery = new Delivery(event, 0, 1, 0, sends.incrementAndGet());
            DeliveryListener listener = (sent, result) -> {
                if (answered.compareAndSet(false, true)) {
                    report(event, result);
                    sendNext();
                }
            };
            try {
                routes.get().transportOf(event.destination()).send(List.of(delivery), listener);
            } catch (RuntimeException e) {
                listener.onResult(delivery, DeliveryResult.retry(e.toString()));
            }
        }
    }

    private void report(Event event, DeliveryResult result) {
        if (result instanceof DeliveryResult.Delivered) {
            return;
        }
        log.warn("Event {} to {} is lost, because there is no outbox: {}", event.id(), event.destination(), result);
        Counter.builder("outbox.direct.lost")
                .description("Events that were sent without an outbox and did not arrive")
                .tag("destination", event.destination())
                .register(registry)
                .increment();
    }

    /** There is nothing to write to, and no backlog. */
    private static final class NoTables implements EntryWriter<Object> {
        @Override
        public void append(Object transaction, List<Event> events, Set<OrderKey> strictKeys) {
            throw new UnsupportedOperationException("Events are sent directly.");
        }

        @Override
        public boolean cancel(Object transaction, UUID id) {
            return false;
        }

        @Override
        public long countPending(long atMost) {
            return 0;
        }
    }
}
