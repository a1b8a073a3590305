package dev.waybill.testkit.check;

import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One transaction as the order checker sees it. Used by one thread at a time, like the transaction itself.
 *
 * <p>Call each method where its name says: {@code inserting} and {@code committing} just before the real call,
 * {@code committed}, {@code rolledBack} and {@code rolledBackTo} after it returned, {@code unknown} when it threw.
 */
public final class CheckedTransaction {
    private final OrderChecker checker;

    // Guarded by the checker's lock from here on.
    final List<Track> tracks = new ArrayList<>(4);
    final Map<OrderKey, Track> lastOfKey = new HashMap<>(4);
    long commitStarted;
    boolean ended;

    CheckedTransaction(OrderChecker checker) {
        this.checker = checker;
    }

    public void inserting(Event event) {
        checker.inserting(this, List.of(event));
    }

    /** For events that go into the store in one call, in this order. */
    public void inserting(List<Event> events) {
        checker.inserting(this, events);
    }

    public void inserting(UUID id, String destination, @Nullable String key) {
        checker.inserting(this, id, destination, key);
    }

    /** A point to {@linkplain #rolledBackTo return to}, also after an insert that failed. */
    public int savepoint() {
        return checker.savepoint(this);
    }

    /** What was inserted after the savepoint is gone. */
    public void rolledBackTo(int savepoint) {
        checker.rolledBackTo(this, savepoint);
    }

    public void committing() {
        checker.committing(this);
    }

    public void committed() {
        checker.committed(this);
    }

    public void rolledBack() {
        checker.rolledBack(this);
    }

    /** The commit threw, or the writer died: each event may or may not arrive. */
    public void unknown() {
        checker.unknown(this);
    }
}
