package dev.waybill.store;

/** A key whose head is a dead letter, or that somebody paused, and what was decided about it. */
public record ParkedKey(OrderKey key, int shard, State state) {

    /** What happens to the entries of a parked key. */
    public enum State {
        /** They wait until somebody decides. */
        PARKED,
        /** Somebody decided: the relay puts them back, and until the last one is back none is delivered. */
        RELEASING
    }
}
