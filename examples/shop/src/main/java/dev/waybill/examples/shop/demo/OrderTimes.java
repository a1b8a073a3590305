package dev.waybill.examples.shop.demo;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures from the moment the commit of an order returned: to its first effect elsewhere, and to its end. Knows only orders
 * that are under way. Thread-safe.
 */
final class OrderTimes {
    private final Latencies effects;
    private final Latencies roundTrips;
    private final Map<Long, Track> underWay = new ConcurrentHashMap<>();

    OrderTimes(Latencies effects, Latencies roundTrips) {
        this.effects = effects;
        this.roundTrips = roundTrips;
    }

    void placing(long order) {
        underWay.put(order, new Track());
    }

    /** An effect may have come before: a relay can be quicker than the return from the commit. */
    void committed(long order) {
        long now = System.nanoTime();
        underWay.computeIfPresent(order, (id, track) -> {
            track.committed = true;
            track.since = now;
            if (track.effect) {
                effects.record(Duration.ZERO);
            }
            if (track.ended) {
                roundTrips.record(Duration.ZERO);
            }
            return track.ended ? null : track;
        });
    }

    /** Rolled back, or of unknown outcome: nothing to measure. */
    void forget(long order) {
        underWay.remove(order);
    }

    /** Further calls for the same order are not measured. */
    void tookEffect(long order) {
        long now = System.nanoTime();
        underWay.computeIfPresent(order, (id, track) -> {
            if (track.committed && !track.effect) {
                effects.record(Duration.ofNanos(now - track.since));
            }
            track.effect = true;
            return track;
        });
    }

    void ended(long order) {
        long now = System.nanoTime();
        underWay.computeIfPresent(order, (id, track) -> {
            track.ended = true;
            if (!track.committed) {
                return track;
            }
            roundTrips.record(Duration.ofNanos(now - track.since));
            return null;
        });
    }

    int underWay() {
        return underWay.size();
    }

    /** Changed only within the map's own atomic operations. */
    private static final class Track {
        private boolean committed;
        private boolean effect;
        private boolean ended;
        private long since;
    }
}
