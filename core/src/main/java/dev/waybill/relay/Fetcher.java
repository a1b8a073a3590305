package dev.waybill.relay;

import dev.waybill.store.Entry;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads entries from the store and brings them to the depot. Owned by the relay's thread.
 *
 * <p>One round reads what was passed over before ({@link Leftovers}), then scans. The scan comes last and
 * looks again below the positions: if a late commit came before anything that this round has read, the scan sees it too, and the
 * depot gets both in order. That holds for each shard by itself, so a scan leaves out shards that nothing was read of and
 * that nobody has committed to.
 */
final class Fetcher {
    private static final Logger log = LoggerFactory.getLogger(Fetcher.class);

    /** What an idle shard is asked for; one that had more than that gets a share of the batch. */
    private static final int PEEK = 16;

    /** How long the scans wait for a destination that has used up its share before they go on without it. */
    private static final long PATIENCE = Duration.ofMillis(200).toNanos();

    /** How long a backlog waits until a good portion of it fits: small ones cost the database almost as much. */
    private static final long LONGEST_SQUEEZE = Duration.ofMillis(20).toNanos();

    /** The part of a limit by which a store may exceed it. */
    private static final int TOLERANCE = 4;

    private static final long LISTING_INTERVAL = Duration.ofMillis(50).toNanos();

    private final OutboxStore store;
    private final Depot depot;
    private final Settler settler;
    private final Mailbox mailbox;
    private final RelayConfig config;
    private final LongSupplier clock;
    private final RandomGenerator random;
    private final Counters counters;
    private final Leftovers leftovers;
    private final ReadAhead ahead;
    private final LateCommits lateCommits = new LateCommits();

    private long nextPoll;
    private long nextUpkeep;
    private long nextListing;
    private long starvedSince = Long.MAX_VALUE;
    /** Since when there is room, but not much. */
    private long tightSince = Long.MAX_VALUE;
    /** A shard is to be read from its beginning as soon as everything is settled. */
    private boolean restartWanted;
    /** How many shards had been taken when it was last forgotten what is decided. */
    private long opened;
    /** The shard that is read first among its likes. */
    private int turn;

    Fetcher(
            OutboxStore store,
            Depot depot,
            Settler settler,
            Mailbox mailbox,
            RelayConfig config,
            Leftovers leftovers,
            ReadAhead ahead,
            LongSupplier clock,
            RandomGenerator random,
            Counters counters) {
        this.store = store;
        this.depot = depot;
        this.settler = settler;
        this.mailbox = mailbox;
        this.config = config;
        this.leftovers = leftovers;
        this.ahead = ahead;
        this.clock = clock;
        this.random = random;
        this.counters = counters;
    }

    /** When to look into the store even if nobody asks for it. */
    long nextDeadline(long now, boolean settled) {
        if (starvedSince != Long.MAX_VALUE) {
            long patienceEnds = starvedSince + PATIENCE;
            return patienceEnds > now ? patienceEnds : now + PATIENCE;
        }
        if (!settled && wantsLeftovers(now)) {
            // Once it is settled, which wakes the relay.
            return Long.MAX_VALUE;
        }
        if (ahead.isReading()) {
            // It rings.
            return now + config.pollInterval().toNanos();
        }
        List<Shard> shards = active();
        // Without a shard there is nothing to look for, whoever calls.
        if (shards.isEmpty() || !wanted(shards, now)) {
            return Math.min(nextPoll, leftovers.nextDue());
        }
        return tightSince == Long.MAX_VALUE ? now : tightSince + LONGEST_SQUEEZE;
    }

    /** Whether the next round reads more than shards: that finds what is unsettled as if it were not in hand. */
    boolean wantsLeftovers(long now) {
        return restartWanted || nextUpkeep <= now || leftovers.wanted(now);
    }

    /** Everything that was read is gone: the next round begins anew. */
    void reset() {
        leftovers.reset();
        nextPoll = 0;
        nextUpkeep = 0;
        nextListing = 0;
        starvedSince = Long.MAX_VALUE;
        tightSince = Long.MAX_VALUE;
        restartWanted = false;
        lateCommits.reset();
        ahead.forget();
    }

    /**
     * Reads what there is room for.
     *
     * @param settled whether all outcomes are written; if not, nothing but shards can be read, and nothing at all if there
     *                is more than shards to read, which would else never have its turn
     */
    int fetch(long now, boolean settled) {
        leftovers.lookForDueAt(settler.takeNextDueAt());
        boolean moreThanShards = wantsLeftovers(now);
        if (ahead.isReading() || (!settled && moreThanShards)) {
            return 0;
        }
        if (moreThanShards) {
            ahead.forget();
        }
        List<Shard> shards = active();
        if (shards.isEmpty()) {
            nextPoll = now + config.pollInterval().toNanos();
            leftovers.sleepUntil(nextPoll);
            return 0;
        }
        forgetIfTakenAnew();
        int room = wanted(shards, now) ? room(now) : 0;
        if (room == 0 || (!moreThanShards && isTight(room, shards, now))) {
            return 0;
        }
        noteUnread(shards, now);
        long began = clock.getAsLong();
        depot.window.beginRound();
        int before = depot.parcels();
        List<Entry> found = new ArrayList<>();
        if (settled) {
            restartWanted = false;
            upkeep(shards, now);
            leftovers.read(shards, now, found);
        }
        depot.priorities.leaveLowerBehind(shard -> shard.more);
        boolean more = scan(toBeScanned(shards, found), room, settled, found, now);
        int lanes = admit(found);
        readAhead(shards, now);
        counters.fetches.record(clock.getAsLong() - began, TimeUnit.NANOSECONDS);
        return depot.parcels() - before + lanes + (more ? 1 : 0);
    }

    /** Leases end with the database that they are of. On its standby sequences that were drawn before may be drawn again. */
    private void forgetIfTakenAnew() {
        if (opened != depot.opened()) {
            opened = depot.opened();
            lateCommits.reset();
        }
    }

    /** Begins to read on in a backlog, so that the next portion is there when this one is delivered. */
    private void readAhead(List<Shard> shards, long now) {
        List<Shard> next = those(shards, shard -> !shard.dropped && shard.isToBeRead());
        if (next.isEmpty() || wantsLeftovers(now) || !ReadAhead.isSafe(next)) {
            ahead.forget();
            return;
        }
        if (!ahead.hasBegun(next)) {
            // There need not be room for it now: it waits until there is.
            ahead.begin(next, cursors(next, goodPortion()), way(next, now));
        }
        if (!ahead.hasFollower()) {
            ahead.follow(way(next, now), lateCommits.decided());
        }
    }

    /** Whether to wait, for a moment at most, until more of a backlog fits. */
    private boolean isTight(int room, List<Shard> shards, long now) {
        boolean tight = depot.parcels() > 0
                && 2 * room < goodPortion()
                && !ahead.fits(room)
                && !those(shards, shard -> shard.more).isEmpty();
        tightSince = tight ? Math.min(tightSince, now) : Long.MAX_VALUE;
        if (now - tightSince >= LONGEST_SQUEEZE) {
            tightSince = Long.MAX_VALUE;
            return false;
        }
        return tight;
    }

    private int goodPortion() {
        return Math.min(config.batchSize(), depot.window.goodPortion());
    }

    /** The shards that somebody committed to, or at every poll all of them. */
    private void noteUnread(List<Shard> shards, long now) {
        ShardSet woken = mailbox.takeWakeUp();
        if (nextPoll <= now) {
            nextPoll = now + config.pollInterval().toNanos();
            woken = ShardSet.ALL;
        }
        for (Shard shard : shards) {
            shard.unread |= woken.contains(shard.number());
        }
    }

    /** Those with something to read, and those of which this round has read something already. */
    private static List<Shard> toBeScanned(List<Shard> shards, List<Entry> found) {
        Set<Integer> touched = new HashSet<>();
        found.forEach(entry -> touched.add(entry.shard()));
        return those(shards, shard -> shard.isToBeRead() || touched.contains(shard.number()));
    }

    private List<Shard> active() {
        return those(depot.shards(), shard -> !shard.draining);
    }

    /** Without a stream: in every step, of every shard. */
    private static List<Shard> those(Collection<Shard> shards, Predicate<Shard> wanted) {
        List<Shard> those = new ArrayList<>(shards.size());
        for (Shard shard : shards) {
            if (wanted.test(shard)) {
                those.add(shard);
            }
        }
        return those;
    }

    /** What is looked after once in a poll interval, however busy the relay is. */
    private void upkeep(List<Shard> shards, long now) {
        if (nextUpkeep <= now) {
            nextUpkeep = now + config.pollInterval().toNanos();
            leftovers.lookForDueAt(now);
            leftovers.lookAgainAtHeldKeys(shards);
            shards.forEach(shard -> rescanIfTime(shard, now));
        }
    }

    private boolean wanted(List<Shard> shards, long now) {
        return nextPoll <= now
                || mailbox.isWoken()
                || !those(shards, Shard::isToBeRead).isEmpty()
                || leftovers.wanted(now);
    }

    /** How much may be read; a destination that fills its share of the window is left behind after a while. */
    private int room(long now) {
        int room = Math.min(config.batchSize(), depot.room());
        if (room == 0) {
            // What has the highest priority need not wait until those below it prove to be slow.
            depot.priorities.leaveLowerBehind(shard -> true);
            room = Math.min(config.batchSize(), depot.room());
        }
        if (room > 0) {
            starvedSince = Long.MAX_VALUE;
            return room;
        }
        starvedSince = Math.min(starvedSince, now);
        Destination largest = depot.largest();
        if (now - starvedSince >= PATIENCE && largest != null) {
            log.info("Destination {} is slow: the others no longer wait for it", largest.name);
            depot.lag(largest);
            return Math.min(config.batchSize(), depot.room());
        }
        return 0;
    }

    private void rescanIfTime(Shard shard, long now) {
        if (shard.rescanAt == 0) {
            shard.rescanAt = now + rescanWait();
        } else if (shard.rescanAt <= now) {
            shard.rescanAt = now + rescanWait();
            shard.park(store.readParked(Set.of(shard.number())));
            shard.forgetHeldKeys();
            shard.rescan();
            lateCommits.reset();
        }
    }

    /** Spread, so that shards taken together are not all read again together. */
    private long rescanWait() {
        long interval = config.rescanInterval().toNanos();
        return interval / 2 + random.nextLong(interval);
    }

    // --- the scan

    /** Reads on in some shards; returns whether some have more. */
    private boolean scan(List<Shard> shards, int room, boolean settled, List<Entry> found, long now) {
        if (shards.isEmpty()) {
            return false;
        }
        ReadAhead.Portion portion = ahead.take(shards, withTolerance(room));
        if (portion == null) {
            portion = ahead.now(cursors(shards, room), way(shards, now));
        }
        Set<Integer> read = new HashSet<>();
        for (ScanCursor cursor : portion.cursors()) {
            if (cursor.limit() > 0) {
                read.add(cursor.shard());
                turn = cursor.shard() + 1;
            }
        }
        Scan scan = portion.scan();
        holdBack(scan.paused());
        Set<Integer> restarted = new HashSet<>();
        List<Shard> scanned = new ArrayList<>(shards.size());
        List<Shard> lost = new ArrayList<>();
        boolean more = false;
        for (ShardPage page : scan.pages()) {
            Shard shard = depot.shard(page.lease().shard());
            if (shard == null) {
                continue;
            }
            if (!page.owned() || page.lease().epoch() != shard.lease.epoch()) {
                lost.add(shard);
            } else if (page.lease().rewind() != shard.rewind && !settled) {
                // To begin anew is to believe the store, which does not know yet what has failed or died.
                restartWanted = true;
                shard.unread = true;
            } else if (page.lease().rewind() != shard.rewind) {
                restarted.add(shard.number());
                depot.restart(shard, page.lease(), store.readParked(Set.of(shard.number())));
                more = true;
            } else {
                admitLateCommits(shard, page);
                found.addAll(page.entries());
                shard.position = page.position();
                if (read.contains(shard.number())) {
                    shard.more = page.more();
                    // What was committed after it was read ahead is still to be looked for.
                    shard.unread &= portion.ahead();
                }
                scanned.add(shard);
                more |= shard.isToBeRead();
            }
        }
        lose(lost);
        if (portion.way() == ReadAhead.Way.PEEKED) {
            lateCommits.peeked(scanned);
        } else {
            lateCommits.scanned(scan, scanned);
        }
        // What was read of a restarted shard may have to come after what was put back.
        found.removeIf(entry -> restarted.contains(entry.shard()));
        return more;
    }

    /**
     * Asks who is writing only now and then, because the database takes longer for that than for an entry; in a backlog also
     * if what is read next is not decided.
     */
    private ReadAhead.Way way(List<Shard> shards, long now) {
        long near = lateCommits.decided() - 2L * config.batchSize();
        if (now < nextListing
                && those(shards, shard -> shard.more && near <= shard.position).isEmpty()) {
            return ReadAhead.Way.PEEKED;
        }
        nextListing = now + LISTING_INTERVAL;
        return ReadAhead.Way.SCANNED;
    }

    /** What a person holds back, or lets go on, since the last scan. */
    private void holdBack(Set<String> paused) {
        for (String name : paused) {
            Destination destination = depot.destination(name);
            if (!destination.stopped) {
                log.info("Destination {} is paused by decision", name);
                depot.stop(destination);
            }
        }
        for (Destination destination : List.copyOf(depot.destinations())) {
            if (destination.stopped && !paused.contains(destination.name)) {
                log.info("Destination {} goes on by decision", destination.name);
                depot.letGo(destination);
            }
        }
    }

    private void lose(List<Shard> shards) {
        if (!shards.isEmpty()) {
            log.warn("Lost {} shards to other relays", shards.size());
            counters.leaseLosses += shards.size();
            shards.forEach(depot::drop);
        }
    }

    /** A store may read somewhat more than it is asked for; so much more does not fill the window. */
    private static int withTolerance(int room) {
        return room + room / TOLERANCE;
    }

    private List<ScanCursor> cursors(List<Shard> shards, int room) {
        int busy = Math.max(1, (int) shards.stream().filter(shard -> shard.more).count());
        int share = Math.max(1, room / busy);
        int peek = Math.min(PEEK, Math.max(1, room / shards.size()));
        // With less room than shards they take turns; all are looked at for late commits.
        int reading = Math.min(room, shards.size());
        List<Shard> inTurn = inTurn(shards);
        List<ScanCursor> cursors = new ArrayList<>(shards.size());
        for (int i = 0; i < shards.size(); i++) {
            Shard shard = inTurn.get(i);
            int limit = i >= reading ? 0 : Math.min(config.batchSize(), shard.more ? share : peek);
            cursors.add(new ScanCursor(
                    shard.number(),
                    shard.lowWater,
                    shard.position,
                    limit,
                    depot.window.bytes(limit),
                    shard.lanes.keySet(),
                    lateCommits.decided()));
        }
        return cursors;
    }

    /** Those with nothing to read come last: else a backlog in few shards would wait while all the others are looked at. */
    private List<Shard> inTurn(List<Shard> shards) {
        return shards.stream()
                .sorted(Comparator.<Shard, Boolean>comparing(shard -> !shard.isToBeRead())
                        .thenComparingInt(shard -> Math.floorMod(shard.number() - turn, Shards.COUNT)))
                .toList();
    }

    /** Entries below the position that this relay has not seen before; a huge transaction may bring many at once. */
    private void admitLateCommits(Shard shard, ShardPage page) {
        List<Long> unseen = new ArrayList<>();
        for (Long sequence : page.below()) {
            if (!shard.hasInHand(sequence) && !shard.passedOver.contains(sequence)) {
                unseen.add(sequence);
            }
        }
        int portion = Math.min(config.batchSize(), depot.window.fitting());
        for (int from = 0; from < unseen.size(); from += portion) {
            List<Long> some = unseen.subList(from, Math.min(unseen.size(), from + portion));
            for (Entry entry : store.readEntries(shard.number(), some)) {
                Long lane = shard.lanes.get(entry.destination());
                if (lane != null && entry.sequence() > lane) {
                    shard.leave(entry.orderKey().orElse(null), entry.sequence());
                } else {
                    admit(shard, entry);
                }
            }
        }
    }

    private int admit(List<Entry> found) {
        found.sort(Comparator.comparingLong(Entry::sequence));
        for (Entry entry : found) {
            Shard shard = depot.shard(entry.shard());
            if (shard != null) {
                admit(shard, entry);
            }
        }
        return leftovers.admitted();
    }

    private void admit(Shard shard, Entry entry) {
        if (!entry.isDue()) {
            leftovers.lookForDueIn(entry.dueIn());
        }
        depot.admit(shard, entry);
    }
}
