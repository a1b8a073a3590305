package dev.waybill.store.memory;

import dev.waybill.event.Event;
import dev.waybill.inbox.Setback;
import dev.waybill.operations.Located;
import dev.waybill.store.DueCursor;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An entry in its mutable form; guarded by the store's lock. Change its due time only while no table indexes it. */
final class Row {
    private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

    final long sequence;
    final int shard;
    final Event event;
    final @Nullable OrderKey key;
    private final int replay;
    private final Instant since;

    private int attempts;
    private @Nullable String lastError;
    private @Nullable DueCursor due;
    // Nearly every read finds the entry due and unchanged: one object serves all of those reads.
    private @Nullable Entry whenDue;

    private Row(long sequence, int shard, Event event, int replay, Instant since) {
        this.sequence = sequence;
        this.shard = shard;
        this.event = event;
        this.replay = replay;
        this.since = since;
        String name = event.key();
        this.key = name == null ? null : new OrderKey(event.destination(), name);
    }

    static Row appended(long sequence, Event event, Instant now) {
        Row row = new Row(sequence, Shards.of(event), event, 0, now);
        Instant availableAt = event.availableAt();
        row.due = availableAt == null ? null : new DueCursor(availableAt, sequence);
        return row;
    }

    /** A delivered event that is sent again, at once: what it waited for the first time is over. */
    static Row copied(long sequence, Event event, int replay, Instant now) {
        Event again = new Event(
                event.id(),
                event.destination(),
                event.key(),
                event.type(),
                event.version(),
                event.payload(),
                event.contentType(),
                event.headers(),
                event.occurredAt(),
                null);
        return new Row(sequence, Shards.of(again), again, replay, now);
    }

    /** An event that a consumer put aside. */
    static Row aside(long sequence, Event event, int replay, Setback setback, boolean behind, Instant now) {
        Row row = new Row(sequence, Shards.of(event), event, replay, now);
        row.attempts = setback.attempts();
        String error = setback.error();
        row.lastError = error == null ? null : ErrorText.storable(error);
        Duration after = setback.retryAfter();
        if (after != null && !after.isZero() && !behind) {
            row.dueIn(after, now);
        }
        return row;
    }

    /** A dead letter that is tried again, with all of its attempts. */
    static Row revived(Entry dead, Instant now) {
        Row row = new Row(dead.sequence(), dead.shard(), dead.event(), dead.replay(), now);
        row.lastError = dead.lastError();
        return row;
    }

    void failed(String error) {
        attempts++;
        lastError = ErrorText.storable(error);
        whenDue = null;
    }

    /** Due after a wait: of a century at most, as in databases. */
    void dueIn(Duration wait, Instant now) {
        Duration bounded = wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
        dueAt(bounded.isNegative() ? now : now.plus(bounded));
    }

    private void dueAt(Instant time) {
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

    boolean isDelayed(Instant now) {
        return attempts == 0 && isLater(due, now);
    }

    boolean hasFailed() {
        return attempts > 0;
    }

    /** Where the row is, as long as it is in the outbox. */
    Located.Place place(Instant now) {
        if (!isLater(due, now)) {
            return Located.Place.PENDING;
        }
        return hasFailed() ? Located.Place.RETRYING : Located.Place.DELAYED;
    }

    /** How long it could have been sent already, if it can be sent now. */
    Optional<Duration> waited(Instant now) {
        Instant availableAt = event.availableAt();
        Instant start = availableAt != null && availableAt.isAfter(since) ? availableAt : since;
        return isDelayed(now) ? Optional.empty() : Optional.of(Duration.between(start, now));
    }

    /** The entry when it is nothing to be sent any more. */
    Entry atRest() {
        return entry(Duration.ZERO);
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

    private static boolean isLater(@Nullable DueCursor due, Instant now) {
        return due != null && due.time().isAfter(now);
    }

    private Entry entry(Duration dueIn) {
        return new Entry(sequence, shard, event, attempts, lastError, replay, dueIn);
    }
}
