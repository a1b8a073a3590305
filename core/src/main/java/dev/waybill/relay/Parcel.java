package dev.waybill.relay;

import dev.waybill.store.Entry;

/** An entry that the relay has in hand, from the fetch until its outcome is settled. Owned by the relay's thread. */
final class Parcel {
    /** What is happening to it. */
    enum State {
        QUEUED,
        SENT,
        /** Answered as unavailable: kept to find out when the destination is back. */
        PROBE,
        /** Answered; the outcome is not yet settled. */
        ANSWERED,
        /** Sent in a term that has ended, or behind one that failed: whatever is answered for it does not count. */
        RECALLED
    }

    final Entry entry;
    final Line line;
    /** What it takes of the window. */
    final int units;

    State state = State.QUEUED;
    long sentAt;
    long sendId;

    Parcel(Entry entry, Line line, int units) {
        this.entry = entry;
        this.line = line;
        this.units = units;
    }

    long sequence() {
        return entry.sequence();
    }

    /** Whether nobody waits for an answer any more. */
    boolean isForgotten() {
        return line.shard.dropped || state == State.RECALLED;
    }

    Shard shard() {
        return line.shard;
    }

    Destination destination() {
        return line.destination;
    }
}
