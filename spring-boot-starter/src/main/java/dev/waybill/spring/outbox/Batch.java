package dev.waybill.spring.outbox;

import dev.waybill.event.Event;
import dev.waybill.store.ShardSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What one transaction publishes with one outbox: collected, and written as one batch right before the commit. Used by one
 * thread.
 *
 * <p>Nothing is written before, so that a rollback to a savepoint only has to forget what came after it; the database knows
 * nothing of it.
 */
final class Batch implements TransactionSynchronization, Ordered {
    private static final Logger log = LoggerFactory.getLogger(Batch.class);

    /** An event that was published, or that was cancelled after all. */
    private record Step(Event event, boolean published) {}

    /** How many steps there were at a savepoint. */
    private record Mark(Object savepoint, int steps) {}

    private final Object key;
    private final EventSink sink;
    private final boolean atOnce;
    private final CommitPhase phase;
    private final List<Step> steps = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private boolean finished;
    private ShardSet unsignalled = ShardSet.NONE;

    private Batch(Object key, EventSink sink, boolean atOnce, CommitPhase phase) {
        this.key = key;
        this.sink = sink;
        this.atOnce = atOnce;
        this.phase = phase;
    }

    /** The batch of the current transaction under a key; a new one at its first call. */
    static Batch join(Object key, EventSink sink, boolean atOnce) {
        Batch current = (Batch) TransactionSynchronizationManager.getResource(key);
        if (current != null) {
            return current;
        }
        CommitPhase phase = CommitPhase.join();
        Batch joined = new Batch(key, sink, atOnce, phase);
        TransactionSynchronizationManager.registerSynchronization(joined);
        TransactionSynchronizationManager.bindResource(key, joined);
        phase.add(joined);
        return joined;
    }

    void add(List<Event> events) {
        if (events.isEmpty()) {
            return;
        }
        if (atOnce || finished || phase.isCommitting()) {
            write(events);
            return;
        }
        events.forEach(event -> steps.add(new Step(event, true)));
    }

    boolean cancel(UUID id) {
        Event collected = collected(id);
        if (collected == null) {
            return sink.cancel(id);
        }
        Instant due = collected.availableAt();
        if (due == null || !due.isAfter(Instant.now())) {
            return false;
        }
        steps.add(new Step(collected, false));
        return true;
    }

    private @Nullable Event collected(UUID id) {
        return collected().stream()
                .filter(event -> event.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private List<Event> collected() {
        List<Event> events = new ArrayList<>(steps.size());
        for (Step step : steps) {
            if (step.published) {
                events.add(step.event);
            } else {
                events.remove(step.event);
            }
        }
        return events;
    }

    /** Writes what is collected. */
    void write() {
        List<Event> events = collected();
        steps.clear();
        if (!events.isEmpty()) {
            write(events);
        }
    }

    private void write(List<Event> events) {
        sink.write(events);
        unsignalled = unsignalled.union(ShardSet.of(events));
    }

    /** After all callbacks that may still publish, as far as order can tell. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResourceIfPossible(key);
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(key, this);
    }

    @Override
    public void savepoint(Object savepoint) {
        marks.add(new Mark(savepoint, steps.size()));
    }

    /** A savepoint that it was not told of is older than all that it collected. */
    @Override
    public void savepointRollback(Object savepoint) {
        int index = marks.size() - 1;
        while (index >= 0 && !marks.get(index).savepoint.equals(savepoint)) {
            index--;
        }
        int kept = index < 0 ? 0 : Math.min(marks.get(index).steps, steps.size());
        steps.subList(kept, steps.size()).clear();
        // The savepoint itself may be returned to once more.
        marks.subList(index + 1, marks.size()).clear();
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        write();
        finished = true;
    }

    @Override
    public void afterCommit() {
        signal();
    }

    /** Signals as well if the callback of somebody else after the commit has failed, and ours was left out for it. */
    @Override
    public void afterCompletion(int status) {
        TransactionSynchronizationManager.unbindResourceIfPossible(key);
        if (status != STATUS_COMMITTED) {
            return;
        }
        signal();
        List<Event> left = collected();
        if (!left.isEmpty()) {
            log.warn(
                    "{} events were published in a callback around the commit, by a transaction manager that is no bean:"
                            + " they are written after it, in a transaction of their own. Make the manager a bean",
                    left.size());
            sink.writeAlone(left);
        }
    }

    private void signal() {
        if (!unsignalled.isEmpty()) {
            ShardSet shards = unsignalled;
            unsignalled = ShardSet.NONE;
            sink.committed(shards);
        }
    }
}
