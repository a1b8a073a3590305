package dev.waybill.testkit.outbox;

import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An outbox for unit tests: without a database, without transactions, it remembers what is published. Thread-safe.
 *
 * <p>Everything counts as committed. What depends on a rollback is tested with a database.
 */
public final class TestOutbox implements TypedOutbox, PublishedEvents {
    private final ValueMapper mapper;
    private final List<Published> published = new ArrayList<>();

    /** Takes events, and values with a destination: see {@link ValueMapper#simple}. */
    public TestOutbox() {
        this(ValueMapper.simple());
    }

    public TestOutbox(ValueMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public UUID publish(Event event) {
        return add(new Published(event, null));
    }

    @Override
    public UUID publish(Object value) {
        return value instanceof Event event ? publish(event) : add(new Published(mapper.map(null, null, value), value));
    }

    @Override
    public UUID publish(String destination, @Nullable String key, Object value) {
        return add(new Published(mapper.map(destination, key, value), value));
    }

    @Override
    public List<UUID> publishAll(Collection<Event> events) {
        return events.stream().map(this::publish).toList();
    }

    /** Time stands still: a delayed event can be cancelled until it is forgotten. */
    @Override
    public synchronized boolean cancel(UUID id) {
        return published.removeIf(
                one -> one.event().id().equals(id) && one.event().availableAt() != null);
    }

    @Override
    public synchronized List<Published> published() {
        return List.copyOf(published);
    }

    @Override
    public List<Published> uncommitted() {
        return List.of();
    }

    @Override
    public synchronized void forget() {
        published.clear();
    }

    private synchronized UUID add(Published one) {
        published.add(one);
        return one.event().id();
    }
}
