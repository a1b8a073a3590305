package dev.waybill.spring.outbox;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * How far the current transaction is with its commit, and its batches. Used by one thread.
 *
 * <p>Spring calls a transaction active until all callbacks after its commit are done. What is published there would never be
 * written: this hears of the commit before all other callbacks ({@link PriorityOrdered}), so that the outbox can refuse it.
 */
final class CommitPhase implements TransactionSynchronization, PriorityOrdered {
    private static final Object KEY = CommitPhase.class;

    private final List<Batch> batches = new ArrayList<>();
    private List<ConnectionHolder> outer = List.of();
    private boolean committing;
    private boolean committed;

    private CommitPhase() {}

    /** That of the current transaction, if something was published in it or its commit has begun. */
    static @Nullable CommitPhase current() {
        return (CommitPhase) TransactionSynchronizationManager.getResource(KEY);
    }

    /** That of the current transaction, which it is told of from now on. */
    static CommitPhase join() {
        CommitPhase current = current();
        if (current != null) {
            return current;
        }
        CommitPhase joined = new CommitPhase();
        TransactionSynchronizationManager.registerSynchronization(joined);
        TransactionSynchronizationManager.bindResource(KEY, joined);
        return joined;
    }

    /** Says which connections belong to transactions around this one. */
    void within(List<ConnectionHolder> outer) {
        this.outer = outer;
    }

    /** Whether a connection belongs to a transaction around this one: it ends later, and perhaps otherwise. */
    boolean isOuter(ConnectionHolder connection) {
        return outer.stream().anyMatch(holder -> holder == connection);
    }

    void add(Batch batch) {
        batches.add(batch);
    }

    /**
     * The commit is next. Callbacks before it may have published something for the first time, too late for their batch to
     * be called by Spring.
     */
    void begin() {
        committing = true;
        batches.forEach(Batch::write);
    }

    /** Whether all callbacks before the commit are done: what is published now has to be written now. */
    boolean isCommitting() {
        return committing;
    }

    boolean isCommitted() {
        return committed;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(KEY, this);
    }

    @Override
    public void afterCommit() {
        committed = true;
    }

    @Override
    public void afterCompletion(int status) {
        TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
    }
}
