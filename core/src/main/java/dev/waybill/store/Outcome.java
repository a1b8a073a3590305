package dev.waybill.store;

import java.time.Duration;

/** What became of a delivery, to be written back. */
public sealed interface Outcome {
    int shard();

    long sequence();

    /** It arrived: the entry leaves the outbox. */
    record Delivered(int shard, long sequence) implements Outcome {}

    /** It failed: the entry has one more attempt and is due again after a while, by the store's clock. */
    record Retried(int shard, long sequence, Duration after, String error) implements Outcome {}

    /** It will not be tried again: the entry becomes a dead letter, with one more attempt. */
    record Died(int shard, long sequence, String error, DeadLetterPolicy policy) implements Outcome {}
}
