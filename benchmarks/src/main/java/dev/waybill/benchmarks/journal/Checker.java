package dev.waybill.benchmarks.journal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what was published with what was received. Not thread-safe.
 *
 * <p>It holds for messages that are numbered from 1 in the order of publishing, each key by one writer at a time: the
 * numbers of a key must arrive rising. What several processes received is put in order by time first.
 */
public final class Checker {
    private final BitSet published = new BitSet();
    private final BitSet received = new BitSet();
    private final List<long[]> arrivals = new ArrayList<>();
    private long doubled;

    /** A message whose transaction committed. */
    public void published(long number) {
        published.set(index(number));
    }

    /** The messages 1 to this one. */
    public void publishedUpTo(long number) {
        published.set(1, index(number) + 1);
    }

    public boolean isPublished(long number) {
        return published.get(index(number));
    }

    /** An arrival, at a time; those of one receiver in their order. */
    public void received(long key, long number, long at) {
        int index = index(number);
        if (received.get(index)) {
            doubled++;
            return;
        }
        received.set(index);
        arrivals.add(new long[] {key, number, at});
    }

    public Findings findings() {
        BitSet lost = (BitSet) published.clone();
        lost.andNot(received);
        BitSet ghosts = (BitSet) received.clone();
        ghosts.andNot(published);
        return new Findings(
                published.cardinality(),
                received.cardinality(),
                lost.cardinality(),
                ghosts.cardinality(),
                doubled,
                outOfOrder());
    }

    private long outOfOrder() {
        // Stable: what has the same time stays as its receiver saw it.
        arrivals.sort(Comparator.comparingLong(arrival -> arrival[2]));
        Map<Long, Long> highest = new HashMap<>();
        long late = 0;
        for (long[] arrival : arrivals) {
            Long before = highest.get(arrival[0]);
            if (before != null && before > arrival[1]) {
                late++;
            } else {
                highest.put(arrival[0], arrival[1]);
            }
        }
        return late;
    }

    private static int index(long number) {
        return Math.toIntExact(number);
    }
}
