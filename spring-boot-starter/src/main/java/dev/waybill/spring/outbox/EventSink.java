package dev.waybill.spring.outbox;

import dev.waybill.event.Event;
import dev.waybill.store.ShardSet;
import java.util.List;
import java.util.UUID;

/** Where the events of a transaction go. Thread-safe; every method works for the transaction of the calling thread. */
interface EventSink {

    /** Whether the events may be published at all: throws what the outbox is to throw. */
    void check(List<Event> events);

    /** Makes the events part of the transaction, in their order. */
    void write(List<Event> events);

    /** Cancels an event that was written before. */
    boolean cancel(UUID id);

    /** Says that a transaction with events was committed. Never throws. */
    void committed(ShardSet shards);

    /** Takes the events of a transaction that was committed without them. */
    void writeAlone(List<Event> events);
}
