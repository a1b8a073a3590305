package dev.waybill.relay;

import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.ParkedKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Brings back what the scan has passed over: keys that were blocked, destinations that are behind, entries that have
 * become due. Owned by the relay's thread.
 */
final class Leftovers {
    private static final int MAX_REFILLS = 256;

    /** Entries of a shard among which a probe is looked for. */
    private static final int PROBE_CHOICE = 16;

    /**
     * In a backlog, what has become due waits so long for others that do: to look for it interrupts reading, which waits until
     * everything is settled.
     */
    private static final long COMPANY = TimeUnit.MILLISECONDS.toNanos(100);

    private final OutboxStore store;
    private final Depot depot;
    private final int batchSize;
    private final LongSupplier clock;
    private final List<Line> refilled = new ArrayList<>();
    private final List<LaneCursor> lanesRead = new ArrayList<>();
    private int refillLimit = 1;
    private DueCursor dueCursor = DueCursor.START;
    private long nextDue;
    private long lookedForDue;

    Leftovers(OutboxStore store, Depot depot, RelayConfig config, LongSupplier clock) {
        this.store = store;
        this.depot = depot;
        batchSize = config.batchSize();
        this.clock = clock;
    }

    /** Everything that was read is gone. */
    void reset() {
        refilled.clear();
        lanesRead.clear();
        dueCursor = DueCursor.START;
        nextDue = 0;
    }

    /** When to look for entries that have become due, as far as is known. */
    long nextDue() {
        long inCompany = lookedForDue + COMPANY;
        return nextDue < inCompany && hasBacklog() ? inCompany : nextDue;
    }

    void lookForDueAt(long time) {
        nextDue = Math.min(nextDue, time);
    }

    /** An entry was seen that is not yet due. */
    void lookForDueIn(Duration wait) {
        lookForDueAt(fromNow(wait));
    }

    /** Nothing can be due without a shard. */
    void sleepUntil(long time) {
        nextDue = time;
    }

    boolean wanted(long now) {
        if (nextDue() <= now || depot.hasRefills()) {
            return true;
        }
        int urgency = depot.priorities.urgency();
        for (Destination destination : depot.destinations()) {
            if (lanesWanted(destination, urgency, now)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasBacklog() {
        for (Shard shard : depot.shards()) {
            if (shard.more && !shard.draining) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads all kinds of leftovers; what was found may be sent only after the scan that follows. What is due comes first:
     * an entry that a later read still finds undue becomes due after this one, and so with the next.
     */
    void read(List<Shard> shards, long now, List<Entry> found) {
        readDue(shards, now, found);
        readKeys(found);
        readLanes(shards, now, found);
    }

    /**
     * To be called when what was read has been admitted: lines that did not take all of it are read again.
     *
     * @return how many lanes have come further, whatever became of their entries
     */
    int admitted() {
        for (Line line : refilled) {
            if (line.key == null || line.shard.lines.get(line.key) != line) {
                // Its shard begins anew, and with it the key, or is lost.
                continue;
            }
            Parcel last = line.queue.peekLast();
            if (last != null && line.queue.size() >= refillLimit) {
                line.passOver(last.sequence() + 1);
            }
            line.endRefill();
            depot.advance(line);
        }
        refilled.clear();
        int further = 0;
        for (LaneCursor lane : lanesRead) {
            Shard shard = depot.shard(lane.shard());
            further += shard != null && shard.isReadBeyond(lane.destination(), lane.position()) ? 1 : 0;
        }
        lanesRead.clear();
        return further;
    }

    /** A delayed entry that holds its key may have been cancelled: if others wait behind it, look again. */
    void lookAgainAtHeldKeys(List<Shard> shards) {
        int looked = 0;
        for (Shard shard : shards) {
            for (Line line : List.copyOf(shard.lines.values())) {
                if (line.key != null && line.isHeld() && line.isIncomplete() && looked < MAX_REFILLS) {
                    // To the end, so that it is the turn of others next time.
                    shard.lines.remove(line.key);
                    shard.lines.put(line.key, line);
                    line.letGo();
                    depot.advance(line);
                    looked++;
                }
            }
        }
    }

    private void readKeys(List<Entry> found) {
        if (!depot.hasRefills()) {
            return;
        }
        refillLimit = depot.window.keyLimit();
        List<Line> lines = depot.takeRefills(Math.min(MAX_REFILLS, 1 + depot.room() / refillLimit));
        List<KeyCursor> keys = new ArrayList<>(lines.size());
        for (Line line : lines) {
            if (line.key != null) {
                // They take entries from now on; what does not fit comes with the next refill.
                keys.add(line.beginRefill(line.key));
            }
        }
        found.addAll(store.readKeys(keys, refillLimit));
        refilled.addAll(lines);
    }

    private boolean lanesWanted(Destination destination, int urgency, long now) {
        return destination.isPaused()
                ? probeWanted(destination, now)
                : depot.laneRoom(destination, urgency) > 0 && depot.isLagging(destination);
    }

    private static boolean probeWanted(Destination destination, long now) {
        return destination.probe == null && destination.probeAt <= now;
    }

    private void readLanes(List<Shard> shards, long now, List<Entry> found) {
        int urgency = depot.priorities.urgency();
        List<LaneCursor> cursors = new ArrayList<>();
        for (Destination destination : depot.destinations()) {
            if (destination.isPaused()) {
                if (probeWanted(destination, now)) {
                    findProbe(destination, shards);
                }
                continue;
            }
            if (!depot.isLagging(destination)) {
                continue;
            }
            List<Shard> lagging =
                    shards.stream().filter(shard -> shard.hasLane(destination)).toList();
            int limit = Math.min(batchSize, depot.laneRoom(destination, urgency));
            if (lagging.isEmpty() || limit == 0) {
                continue;
            }
            if (destination.priority() < urgency) {
                lagging = furthestBehind(lagging, destination.name, limit);
            }
            int each = Math.max(1, limit / lagging.size());
            for (Shard shard : lagging) {
                long position = shard.lanes.getOrDefault(destination.name, 0L);
                cursors.add(new LaneCursor(shard.number(), destination.name, position, each, depot.window.bytes(each)));
            }
        }
        if (cursors.isEmpty()) {
            return;
        }
        lanesRead.addAll(cursors);
        for (LanePage page : store.readLanes(cursors)) {
            Shard shard = depot.shard(page.cursor().shard());
            if (shard == null) {
                continue;
            }
            if (page.more() && page.position() < shard.position) {
                shard.lanes.put(page.cursor().destination(), page.position());
            } else {
                // Level with the scan, which brings this destination again from here on. A lane must not lead it: only
                // the scan looks back for late commits, and only up to its own position.
                shard.lanes.remove(page.cursor().destination());
            }
            found.addAll(page.entries());
        }
    }

    /** An entry of each shard would be too much for a destination that makes way: the oldest go first. */
    private static List<Shard> furthestBehind(List<Shard> lagging, String destination, int limit) {
        return lagging.stream()
                .sorted(Comparator.comparingLong(shard -> shard.lanes.getOrDefault(destination, 0L)))
                .limit(limit)
                .toList();
    }

    /**
     * The probe was lost with its shard: the first entry of any key will do, if it may be sent. If there is none, the
     * destination is taken for open again: what is sent next will tell.
     */
    private void findProbe(Destination destination, List<Shard> shards) {
        List<LaneCursor> cursors = shards.stream()
                .map(shard -> new LaneCursor(
                        shard.number(), destination.name, 0, PROBE_CHOICE, depot.window.bytes(PROBE_CHOICE)))
                .toList();
        Set<OrderKey> seen = new HashSet<>();
        for (LanePage page : store.readLanes(cursors)) {
            Shard shard = depot.shard(page.cursor().shard());
            for (Entry entry : page.entries()) {
                boolean first = entry.orderKey().map(seen::add).orElse(true);
                if (first && shard != null && depot.admitProbe(shard, entry)) {
                    // Sent only after a scan of the shard, which finds out if somebody has parked the key meanwhile.
                    shard.unread = true;
                    return;
                }
            }
        }
        depot.resume(destination);
    }

    private void readDue(List<Shard> shards, long now, List<Entry> found) {
        if (nextDue() > now) {
            return;
        }
        Set<Integer> numbers = new TreeSet<>();
        shards.forEach(shard -> numbers.add(shard.number()));
        DuePage page = store.readDue(numbers, dueCursor, Math.min(batchSize, depot.window.fitting()));
        dueCursor = page.next();
        lookedForDue = page.more() ? now - COMPANY : now;
        nextDue = page.more() ? now : page.nextIn().map(this::fromNow).orElse(Long.MAX_VALUE);
        for (Entry entry : page.entries()) {
            Shard shard = depot.shard(entry.shard());
            OrderKey key = entry.orderKey().orElse(null);
            if (shard == null) {
                continue;
            }
            if (key == null) {
                found.add(entry);
            } else {
                due(shard, key, entry.sequence());
            }
        }
    }

    /** Counted from after the read: looking a little late finds it due, a little early would be in vain. */
    private long fromNow(Duration wait) {
        return clock.getAsLong() + Waits.nanos(wait);
    }

    /** Whether something of the key comes before it, only a read by key can tell. */
    private void due(Shard shard, OrderKey key, long sequence) {
        Line line = shard.lines.get(key);
        if (shard.parked.get(key) == ParkedKey.State.PARKED) {
            shard.holdFrom(key, sequence);
        } else if (line == null) {
            depot.refill(shard, key);
        } else if (line.isHeldBy(sequence)) {
            line.letGo();
            line.passOver(sequence);
            depot.advance(line);
        }
    }
}
