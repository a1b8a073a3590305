package dev.waybill.transport.kafka;

import java.util.OptionalLong;
import java.util.TreeMap;

/** How far a partition has come, from its assignment until it is taken away. Owned by its {@link Dispatch}. */
final class Progress {
    /** Offsets that were read and not yet taken, and how often: a topic that was created anew begins anew. */
    private final TreeMap<Long, Integer> open = new TreeMap<>();

    private long next = -1;
    private long committed = -1;
    /** Nothing of it is handled any more; what is in hand may still end. */
    boolean withdrawn;
    /** How many of its records are in hand. */
    int inHand;
    /** Whether its next records may have been taken before. */
    boolean suspect = true;

    void read(long offset) {
        open.merge(offset, 1, Integer::sum);
        next = offset + 1;
    }

    void taken(long offset) {
        open.computeIfPresent(offset, (key, times) -> times == 1 ? null : times - 1);
    }

    /** Where to go on after a crash: at the first that is not taken. */
    OptionalLong position() {
        if (next < 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(open.isEmpty() ? next : open.firstKey());
    }

    boolean isCommitted() {
        return position().orElse(committed) == committed;
    }

    void committed(long position) {
        committed = position;
    }
}
