package dev.waybill.outbox;

import dev.waybill.event.Event;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.OrderKey;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes an {@link Outbox} for each transaction of some kind, and checks the limits. Thread-safe.
 *
 * @param <T> the transaction, for instance a JDBC connection
 */
public final class TransactionalOutbox<T> {
    private final EntryWriter<T> writer;
    private final OutboxConfig config;
    private final BacklogGuard backlog;
    private final MeterRegistry registry;
    private final Map<String, Counter> written = new ConcurrentHashMap<>();

    public TransactionalOutbox(EntryWriter<T> writer, OutboxConfig config) {
        this(writer, config, new CompositeMeterRegistry());
    }

    /** Counts what is published, whether its transaction commits or not, as {@code outbox.entries.written}. */
    public TransactionalOutbox(EntryWriter<T> writer, OutboxConfig config, MeterRegistry registry) {
        this.writer = writer;
        this.config = config;
        this.registry = registry;
        backlog = new BacklogGuard(config.backlog(), writer::countPending, System::nanoTime);
    }

    /** The outbox of a transaction that the caller has begun and will end. */
    public Outbox on(T transaction) {
        return new BoundOutbox(transaction);
    }

    /**
     * Checks the limits now, for whoever collects events and writes them later.
     *
     * @throws OutboxLimitException if an event exceeds a limit, or the backlog does
     * @throws UnknownDestinationException if destinations are restricted and one is none of them
     */
    public void check(Collection<Event> events) {
        events.forEach(this::check);
        backlog.check();
    }

    private final class BoundOutbox implements Outbox {
        private final T transaction;

        BoundOutbox(T transaction) {
            this.transaction = transaction;
        }

        @Override
        public UUID publish(Event event) {
            publishAll(List.of(event));
            return event.id();
        }

        @Override
        public List<UUID> publishAll(Collection<Event> events) {
            List<Event> batch = List.copyOf(events);
            check(batch);
            writer.append(transaction, batch, strictKeys(batch));
            batch.forEach(TransactionalOutbox.this::count);
            return batch.stream().map(Event::id).toList();
        }

        @Override
        public boolean cancel(UUID id) {
            return writer.cancel(transaction, id);
        }
    }

    private Set<OrderKey> strictKeys(List<Event> events) {
        Set<OrderKey> keys = new HashSet<>();
        for (Event event : events) {
            String key = event.key();
            if (key != null && config.strictDestinations().contains(event.destination())) {
                keys.add(new OrderKey(event.destination(), key));
            }
        }
        return keys;
    }

    private void count(Event event) {
        written.computeIfAbsent(event.destination(), this::counter).increment();
    }

    private Counter counter(String destination) {
        return Counter.builder("outbox.entries.written")
                .description("Events that were published, whether or not their transactions committed")
                .tag("destination", destination)
                .register(registry);
    }

    private void check(Event event) {
        if (!config.destinations().isEmpty() && !config.destinations().contains(event.destination())) {
            throw new UnknownDestinationException("Event " + event.id() + " is for destination \"" + event.destination()
                    + "\", which is none of " + new TreeSet<>(config.destinations())
                    + ". Correct it, or add it to OutboxConfig.destinations.");
        }
        limit("maxPayloadBytes", event, "payload", event.payload().size(), config.maxPayloadBytes());
        int deliverable = config.payloadLimits().getOrDefault(event.destination(), Integer.MAX_VALUE);
        limit("payloadLimits", event, "payload", event.payload().size(), deliverable);
        limit("maxHeaders", event, "number of headers", event.headers().size(), config.maxHeaders());
        limit("maxHeaderBytes", event, "headers", headerBytes(event.headers()), config.maxHeaderBytes());
    }

    private static int headerBytes(Map<String, String> headers) {
        int bytes = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            bytes += header.getKey().length() + header.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        return bytes;
    }

    private static void limit(String name, Event event, String what, int found, int allowed) {
        if (found > allowed) {
            throw new OutboxLimitException(
                    name,
                    "Event " + event.id() + " of type " + event.type() + " exceeds " + name + ": its " + what + " is "
                            + found + ", at most " + allowed
                            + " is allowed. Make it smaller (for a large payload, publish a reference to it), or raise"
                            + " OutboxConfig." + name + ".");
        }
    }
}
