package dev.waybill.store.memory;

import dev.waybill.inbox.InboxKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What consumers have to do with events, as it is committed; guarded by the store's lock. */
final class InboxTable {

    /** What is known of an event. */
    enum State {
        IN_PROGRESS,
        /** In progress, from the siding: for the source it is put aside, however its lease ends. */
        RETRYING,
        ASIDE,
        DONE
    }

    /**
     * A row.
     *
     * @param epoch grows with each lease
     * @param until when the lease ends, if somebody is at it
     * @param since when it was written
     */
    record Mark(State state, long epoch, Instant until, Instant since) {
        boolean isLeased() {
            return state == State.IN_PROGRESS || state == State.RETRYING;
        }
    }

    private final Map<InboxKey, Mark> marks = new HashMap<>();

    @Nullable
    Mark find(InboxKey key) {
        return marks.get(key);
    }

    void put(InboxKey key, Mark mark) {
        marks.put(key, mark);
    }

    /** Removes what was written, or whose lease ended, before a time. */
    int removeBefore(Instant time, int limit) {
        int before = marks.size();
        int[] left = {limit};
        marks.values()
                .removeIf(mark -> (mark.isLeased() ? mark.until() : mark.since()).isBefore(time) && left[0]-- > 0);
        return before - marks.size();
    }
}
