package dev.waybill.testkit.check;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The ids of events that nothing more is to be checked for, except whether they arrive again. Not thread-safe.
 *
 * <p>Two bytes an id, so that a run of hours fits: a chain of Bloom filters. It knows every id that was added, and takes
 * about one in 1,700 that was not for a known one; a ghost would then be counted as a duplicate.
 */
final class SettledIds {
    private static final int FIRST_CAPACITY = 1 << 10;
    private static final int LAST_CAPACITY = 1 << 20;
    private static final int BITS_PER_ID = 16;
    private static final int HASHES = 8;

    private final List<long[]> filters = new ArrayList<>();
    private long[] newest = new long[0];
    private int capacity = FIRST_CAPACITY / 2;
    private int room;

    void add(UUID id) {
        if (room == 0) {
            grow();
        }
        room--;
        long step = step(id);
        long bit = start(id);
        for (int i = 0; i < HASHES; i++, bit += step) {
            newest[word(newest, bit)] |= 1L << bit;
        }
    }

    boolean contains(UUID id) {
        for (int i = filters.size() - 1; i >= 0; i--) {
            if (contains(filters.get(i), id)) {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(long[] filter, UUID id) {
        long step = step(id);
        long bit = start(id);
        for (int i = 0; i < HASHES; i++, bit += step) {
            if ((filter[word(filter, bit)] & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    private void grow() {
        capacity = Math.min(capacity * 2, LAST_CAPACITY);
        room = capacity;
        newest = new long[capacity * BITS_PER_ID / Long.SIZE];
        filters.add(newest);
    }

    private static int word(long[] filter, long bit) {
        return (int) (bit >>> 6) & (filter.length - 1);
    }

    private static long start(UUID id) {
        return mix(id.getMostSignificantBits() ^ mix(id.getLeastSignificantBits()));
    }

    private static long step(UUID id) {
        return mix(id.getLeastSignificantBits() + 0x9e3779b97f4a7c15L * id.getMostSignificantBits()) | 1;
    }

    /** The finaliser of SplitMix64: ids of version 7 differ in few bits, their hashes must differ in many. */
    private static long mix(long bits) {
        bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
        return bits ^ bits >>> 31;
    }
}
