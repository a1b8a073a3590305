package dev.waybill.testkit.spring;

import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.outbox.JoiningOutbox;
import dev.waybill.testkit.outbox.Published;
import dev.waybill.testkit.outbox.PublishedEvents;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An outbox that remembers what was published, and whether its transaction was committed. Thread-safe. */
final class RecordedOutbox implements JoiningOutbox, PublishedEvents {
    private final TypedOutbox target;
    private final Function<Runnable, List<Event>> events;
    private final List<Published> committed = new ArrayList<>();
    private final List<Published> uncommitted = new ArrayList<>();

    /**
     * Remembers what an outbox takes.
     *
     * @param events runs something, and answers what it published on this thread
     */
    RecordedOutbox(TypedOutbox target, Function<Runnable, List<Event>> events) {
        this.target = target;
        this.events = events;
    }

    @Override
    public UUID publish(Event event) {
        return record(null, () -> List.of(target.publish(event))).get(0);
    }

    @Override
    public UUID publish(Object value) {
        return value instanceof Event event
                ? publish(event)
                : record(value, () -> List.of(target.publish(value))).get(0);
    }

    @Override
    public UUID publish(String destination, @Nullable String key, Object value) {
        return record(value, () -> List.of(target.publish(destination, key, value)))
                .get(0);
    }

    @Override
    public List<UUID> publishAll(Collection<Event> all) {
        return record(null, () -> target.publishAll(all));
    }

    @Override
    public boolean cancel(UUID id) {
        boolean cancelled = target.cancel(id);
        if (cancelled) {
            transaction().cancelled.add(id);
        }
        return cancelled;
    }

    @Override
    public boolean isOpen() {
        return target instanceof JoiningOutbox joining && joining.isOpen();
    }

    @Override
    public synchronized List<Published> published() {
        return List.copyOf(committed);
    }

    @Override
    public synchronized List<Published> uncommitted() {
        return List.copyOf(uncommitted);
    }

    @Override
    public synchronized void forget() {
        committed.clear();
        uncommitted.clear();
    }

    private List<UUID> record(@Nullable Object value, Supplier<List<UUID>> publish) {
        List<UUID> ids = new ArrayList<>();
        List<Published> made = events.apply(() -> ids.addAll(publish.get())).stream()
                .map(event -> new Published(event, value))
                .toList();
        if (made.size() != ids.size()) {
            throw new IllegalStateException("The outbox " + target.getClass().getName()
                    + " asks no EventCustomizer, so a test cannot see what it publishes. Use the one of the starter.");
        }
        if (!made.isEmpty()) {
            transaction().events.addAll(made);
            begin(made);
        }
        return ids;
    }

    private synchronized void begin(List<Published> made) {
        uncommitted.addAll(made);
    }

    private synchronized void committed(List<Published> made, List<UUID> cancelled) {
        made.forEach(uncommitted::remove);
        committed.addAll(made);
        committed.removeIf(one -> cancelled.contains(one.event().id()));
    }

    private OfTransaction transaction() {
        for (TransactionSynchronization one : TransactionSynchronizationManager.getSynchronizations()) {
            if (one instanceof OfTransaction found && found.owner() == this) {
                return found;
            }
        }
        OfTransaction joined = new OfTransaction();
        TransactionSynchronizationManager.registerSynchronization(joined);
        return joined;
    }

    /** What one transaction publishes; used by its thread. */
    private final class OfTransaction implements TransactionSynchronization {
        private final List<Published> events = new ArrayList<>();
        private final List<UUID> cancelled = new ArrayList<>();
        private final List<Mark> marks = new ArrayList<>();

        /** How many events there were at a savepoint. */
        private record Mark(Object savepoint, int size) {}

        RecordedOutbox owner() {
            return RecordedOutbox.this;
        }

        @Override
        public void savepoint(Object savepoint) {
            marks.add(new Mark(savepoint, events.size()));
        }

        /** A savepoint that it was not told of is older than the first event. */
        @Override
        public void savepointRollback(Object savepoint) {
            int size = marks.stream()
                    .filter(mark -> mark.savepoint.equals(savepoint))
                    .mapToInt(Mark::size)
                    .findFirst()
                    .orElse(0);
            events.subList(Math.min(size, events.size()), events.size()).clear();
        }

        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED) {
                committed(events, cancelled);
            }
        }
    }
}
