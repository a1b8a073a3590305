package dev.waybill.store.memory;

import dev.waybill.event.Event;
import dev.waybill.store.DueCursor;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry in its mutable form; guarded by the store's lock. Change its due time only while no table indexes it. */
final class Row {
    final long sequence;
    final int shard;
    final Event event;
    final @Nullable OrderKey key;

    private int attempts;
    private @Nullable String lastError;
    private @Nullable DueCursor due;
    // Nearly every read finds the entry due and unchanged: one object serves all of those reads.
    private @Nullable Entry whenDue;

    private Row(long sequence, int shard, Event event) {
        this.sequence = sequence;
        this.shard = shard;
        this.event = event;
        String name = event.key();
        this.key = name == null ? null : new OrderKey(event.destination(), name);
    }

    static Row appended(long sequence, Event event) {
        Row row = new Row(sequence, Shards.of(event), event);
        Instant availableAt = event.availableAt();
        row.due = availableAt == null ? null : new DueCursor(availableAt, sequence);
        return row;
    }

    /** A dead letter that is tried again, with all of its attempts. */
    static Row revived(Entry dead) {
        Row row = new Row(dead.sequence(), dead.shard(), dead.event());
        row.lastError = dead.lastError();
        return row;
    }

    void failed(String error) {
        attempts++;
        lastError = ErrorText.storable(error);
        whenDue = null;
    }

    void dueAt(Instant time) {
        due = new DueCursor(time, sequence);
    }

    /** Ends the wait for a retry, but not the one that the event itself asks for. */
    void dueAtOnce(Instant now) {
        Instant availableAt = event.availableAt();
        due = availableAt != null && availableAt.isAfter(now) ? new DueCursor(availableAt, sequence) : null;
    }

    @Nullable
    DueCursor due() {
        return due;
    }

    boolean isCancellable(Instant now) {
        return attempts == 0 && due != null && due.time().isAfter(now);
    }

    Entry read(Instant now) {
        if (due != null && due.time().isAfter(now)) {
            return entry(Duration.between(now, due.time()));
        }
        if (whenDue == null) {
            whenDue = entry(Duration.ZERO);
        }
        return whenDue;
    }

    private Entry entry(Duration dueIn) {
        return new Entry(sequence, shard, event, attempts, lastError, dueIn);
    }
}
