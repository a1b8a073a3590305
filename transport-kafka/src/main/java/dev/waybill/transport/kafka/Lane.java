package dev.waybill.transport.kafka;

import java.util.ArrayDeque;
import java.util.Deque;

/** The records of a key, or one without a key, in their order. Owned by its {@link Dispatch}. */
final class Lane {

    /** A record and the partition that it is of. */
    record Item(Arrival arrival, Progress from) {}

    /** Its place in the dispatch: the key, or something unique. */
    final Object name;

    final Deque<Item> items = new ArrayDeque<>();
    /** Whether a worker has the first of it, which is not among the items meanwhile. */
    boolean inHand;
    /** When it may go on, if it waits. */
    long dueAt;
    /** Tries of the first one that came to nothing because of the store. */
    int failures;

    Lane(Object name) {
        this.name = name;
    }
}
