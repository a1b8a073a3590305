package dev.waybill.store;

/**
 * Is told that a transaction with events was committed, for instance {@code relay::wakeUp}. Called by the thread that
 * committed, so it must be quick.
 */
@FunctionalInterface
public interface CommitListener {

    /**
     * Something was committed.
     *
     * @param shards where a relay finds it; more shards than that cost a little time, fewer leave the rest to its poll
     */
    void onCommit(ShardSet shards);
}
