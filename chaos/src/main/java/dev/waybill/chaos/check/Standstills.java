package dev.waybill.chaos.check;

import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.FaultKind.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds out how long lanes stood still although they had something to deliver. Immutable.
 *
 * <p>A lane is what goes on or stands still as a whole: a shard, which one relay owns, or a partition, which one consumer
 * has. It stands still between two arrivals, as far as something waited meanwhile.
 */
final class Standstills {
    /** A relay that is not woken looks once in a second: what stands still for less is on its usual way. */
    private static final long USUAL_MILLIS = 1_000;

    private record Standstill(String lane, long from, long to) {}

    private final List<Standstill> all;
    /** Whose faults can hold these lanes up. */
    private final Set<Part> parts;

    Standstills(List<Passage> passages, Set<Part> parts) {
        Map<String, List<Passage>> lanes =
                passages.stream().collect(Collectors.groupingBy(Passage::lane, TreeMap::new, Collectors.toList()));
        all = lanes.entrySet().stream()
                .flatMap(lane -> standstills(lane.getKey(), lane.getValue()).stream())
                .toList();
        this.parts = Set.copyOf(parts);
    }

    private static List<Standstill> standstills(String lane, List<Passage> passages) {
        List<Passage> byDone = new ArrayList<>(passages);
        byDone.sort(Comparator.comparingLong(Passage::done));
        // The earliest that anything which is not yet done at an arrival was available.
        long[] waitingSince = new long[byDone.size()];
        long earliest = Long.MAX_VALUE;
        for (int i = byDone.size() - 1; i >= 0; i--) {
            earliest = Math.min(earliest, byDone.get(i).available());
            waitingSince[i] = earliest;
        }
        List<Standstill> found = new ArrayList<>();
        long before = Long.MIN_VALUE;
        for (int i = 0; i < byDone.size(); i++) {
            long done = byDone.get(i).done();
            long from = Math.max(before, waitingSince[i]);
            if (from < done) {
                found.add(new Standstill(lane, from, done));
            }
            before = done;
        }
        return found;
    }

    boolean concern(Episode episode) {
        return parts.contains(episode.fault().kind().part());
    }

    /**
     * The recovery from a fault: the longest standstill since the moment from which it counts, however late it began. The next
     * fault ends it, and what still stands still then is counted for that one.
     */
    Recovery after(Episode episode, List<Episode> episodes) {
        long from = episode.healthy();
        long next = episodes.stream()
                .filter(other -> concern(other) && isAfter(other, episode))
                .mapToLong(other -> Math.max(from, other.began()))
                .min()
                .orElse(Long.MAX_VALUE);
        long longest = 0;
        String lane = "";
        boolean overtaken = false;
        for (Standstill one : all) {
            if (one.to() <= from || one.from() >= next) {
                continue;
            }
            overtaken |= isOvertaken(one, from, next);
            long millis = Math.min(one.to(), next) - Math.max(from, one.from());
            if (millis > longest) {
                longest = millis;
                lane = one.lane();
            }
        }
        return new Recovery(episode, Duration.ofMillis(longest), lane, overtaken);
    }

    /** Whether the next fault struck something that had not moved since this one, or stood still again for more than is usual. */
    private static boolean isOvertaken(Standstill one, long from, long next) {
        return one.to() > next && (one.from() <= from || next - one.from() > USUAL_MILLIS);
    }

    /** Of two that overlap, the one whose recovery counts later takes over what is left. */
    private static boolean isAfter(Episode other, Episode episode) {
        return other.healthy() > episode.healthy()
                || (other.healthy() == episode.healthy()
                        && other.fault().number() > episode.fault().number());
    }
}
