package dev.waybill.outbox;

import dev.waybill.event.Event;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.OrderKey;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Makes an {@link Outbox} for each transaction of some kind, and checks the limits. Immutable and thread-safe.
 *
 * @param <T> the transaction, for instance a JDBC connection
 */
public final class TransactionalOutbox<T> {
    private final EntryWriter<T> writer;
    private final OutboxConfig config;

    public TransactionalOutbox(EntryWriter<T> writer, OutboxConfig config) {
        this.writer = writer;
        this.config = config;
    }

    /** The outbox of a transaction that the caller has begun and will end. */
    public Outbox on(T transaction) {
        return new BoundOutbox(transaction);
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
            batch.forEach(TransactionalOutbox.this::check);
            writer.append(transaction, batch, strictKeys(batch));
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

    private void check(Event event) {
        if (!config.destinations().isEmpty() && !config.destinations().contains(event.destination())) {
            throw new UnknownDestinationException("Event " + event.id() + " is for destination \"" + event.destination()
                    + "\", which is none of " + new TreeSet<>(config.destinations())
                    + ". Correct it, or add it to OutboxConfig.destinations.");
        }
        limit("maxPayloadBytes", event, "payload", event.payload().size(), config.maxPayloadBytes());
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
