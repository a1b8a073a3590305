package dev.waybill.relay;

import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.Term;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the relay has in hand: shards, lines of parcels, destinations, and the window that bounds them.
 *
 * <p>Owned by the relay's thread. It makes no calls to store or transport: the fetcher brings entries in, the courier
 * takes them out, the settler closes them.
 */
final class Depot {
    private static final Logger log = LoggerFactory.getLogger(Depot.class);

    private final Routes routes;
    private final MeterRegistry registry;
    final Window window;
    final Priorities priorities;

    private final OwnedShards shards = new OwnedShards();

    private final Map<String, Destination> destinations = new TreeMap<>();
    /** By priority, the highest first. */
    private final Map<Integer, Deque<Line>> ready = new TreeMap<>(Comparator.reverseOrder());

    private final Set<Line> refills = new LinkedHashSet<>();
    private int parcels;

    Depot(Routes routes, RelayConfig config, MeterRegistry registry) {
        this.routes = routes;
        this.registry = registry;
        window = new Window(config);
        priorities = new Priorities(routes, this);
        routes.paused().forEach(this::destination);
    }

    // --- shards

    Collection<Shard> shards() {
        return shards.all();
    }

    @Nullable
    Shard shard(int number) {
        return shards.get(number);
    }

    Shard open(Lease lease, List<ParkedKey> parked) {
        Shard known = shard(lease.shard());
        if (known != null) {
            drop(known);
        }
        Shard shard = new Shard(lease);
        shard.park(parked);
        destinations.values().stream()
                .filter(d -> d.isPaused() || shard.isClosedTo(d))
                .forEach(d -> shard.lanes.put(d.name, 0L));
        shards.add(shard);
        return shard;
    }

    /** How many shards were ever taken. */
    long opened() {
        return shards.added();
    }

    /** Forgets a shard and all that is in hand of it; answers that still come for it find it dropped. */
    void drop(Shard shard) {
        shard.dropped = true;
        shards.remove(shard);
        refills.removeIf(line -> line.shard == shard);
        List.copyOf(shard.parcels.values()).forEach(this::close);
        shard.lines.clear();
    }

    /** Somebody put entries back below what was read: begin anew, except for what is on its way. */
    void restart(Shard shard, Lease seen, List<ParkedKey> parked) {
        shard.rewind = seen.rewind();
        shard.park(parked);
        shard.lanes.replaceAll((destination, position) -> 0L);
        // A probe that waits may no longer be the first of its key, or its key may be parked.
        giveUpProbes(shard);
        unqueueAll(shard);
        shard.rescan();
    }

    /** Stops reading and sending, so that the shard can be given back once what is on its way has been settled. */
    void drain(Shard shard) {
        shard.draining = true;
        giveUpProbes(shard);
        unqueueAll(shard);
    }

    /** Those that are not yet sent; another entry will do as well. */
    private void giveUpProbes(Shard shard) {
        for (Parcel parcel : List.copyOf(shard.parcels.values())) {
            if (parcel.state == Parcel.State.PROBE) {
                parcel.line.land(parcel);
                close(parcel);
            }
        }
    }

    private void unqueueAll(Shard shard) {
        for (Line line : List.copyOf(shard.lines.values())) {
            List.copyOf(line.queue).forEach(this::close);
            line.queue.clear();
            if (line.onTheWay == null) {
                refills.remove(line);
                shard.lines.remove(line.key);
            } else {
                line.passOverAll();
            }
        }
        // What is left in a queue has no key, and is brought back by the scan.
        for (Parcel parcel : List.copyOf(shard.parcels.values())) {
            if (parcel.state == Parcel.State.QUEUED) {
                parcel.line.queue.clear();
                close(parcel);
            }
        }
    }

    // --- terms of transports that keep a ledger

    /** From here on what a shard has for a transport may be sent, in this term. */
    void open(Shard shard, LedgerTransport transport, Term term) {
        shard.open(transport, term);
        linesTo(shard, transport).forEach(this::advance);
    }

    /** A term is over. What it has not answered may have arrived or not: it returns to the store's care. */
    void close(Shard shard, LedgerTransport transport) {
        shard.close(transport);
        for (Parcel parcel : List.copyOf(shard.parcels.values())) {
            if (parcel.state != Parcel.State.ANSWERED && goesTo(parcel.destination(), transport)) {
                parcel.line.queue.remove(parcel);
                parcel.line.land(parcel);
                parcel.state = Parcel.State.RECALLED;
                sendBack(parcel);
            }
        }
        refills.removeIf(line -> line.shard == shard && goesTo(line.destination, transport));
        linesTo(shard, transport).forEach(this::advance);
    }

    /** The store knows that the parcel was delivered. */
    void settled(Parcel parcel) {
        Route route = parcel.destination().route;
        Term term = route == null ? null : parcel.shard().term(route.transport());
        if (term != null) {
            term.settled(parcel.sequence());
        }
    }

    private static List<Line> linesTo(Shard shard, LedgerTransport transport) {
        return shard.lines.values().stream()
                .filter(line -> goesTo(line.destination, transport))
                .toList();
    }

    private static boolean goesTo(Destination destination, LedgerTransport transport) {
        return destination.route != null && destination.route.transport() == transport;
    }

    // --- destinations

    Destination destination(String name) {
        Destination known = destinations.get(name);
        if (known != null) {
            return known;
        }
        Destination added =
                new Destination(name, routes.find(name).orElse(null), new DestinationMeters(registry, name));
        destinations.put(name, added);
        if (added.isPaused()) {
            if (added.route == null) {
                log.warn("No route for destination {}: its events wait until a relay has one", name);
            }
            lag(added);
        }
        return added;
    }

    Collection<Destination> destinations() {
        return destinations.values();
    }

    /** Lets the scans go on without a destination; from here on it is read separately. */
    void lag(Destination destination) {
        for (Shard shard : shards.all()) {
            shard.lanes.putIfAbsent(destination.name, shard.position);
        }
    }

    /** Whether a lane of the destination is to be read; nothing is read in a shard that is about to be given back. */
    boolean isLagging(Destination destination) {
        // In every step, for every destination: no stream.
        for (Shard shard : shards.all()) {
            if (!shard.draining && shard.hasLane(destination)) {
                return true;
            }
        }
        return false;
    }

    void pause(Destination destination, String reason) {
        destination.pausedBecause = reason;
        sendBackAll(destination);
    }

    private void sendBackAll(Destination destination) {
        lag(destination);
        for (Shard shard : shards.all()) {
            for (Parcel parcel : List.copyOf(shard.parcels.values())) {
                if (parcel.destination() == destination && parcel.state == Parcel.State.QUEUED) {
                    parcel.line.queue.remove(parcel);
                    sendBack(parcel);
                    advance(parcel.line);
                }
            }
        }
        refills.removeIf(line -> line.destination == destination);
    }

    /** A person holds the destination back; what is on its way is finished. */
    void stop(Destination destination) {
        destination.stopped = true;
        sendBackAll(destination);
        Parcel probe = destination.probe;
        destination.probeAt = Destination.NEVER;
        if (probe != null && probe.state == Parcel.State.PROBE) {
            probe.line.land(probe);
            sendBack(probe);
            advance(probe.line);
        }
    }

    /** A person lets the destination go on: it is tried, whatever was known of it. */
    void letGo(Destination destination) {
        destination.stopped = false;
        if (destination.isRouted()) {
            resume(destination);
        }
    }

    void resume(Destination destination) {
        destination.pausedBecause = null;
        destination.failures = 0;
        destination.probeAt = Destination.NEVER;
        destination.probe = null;
        for (Shard shard : shards.all()) {
            List.copyOf(shard.lines.values()).stream()
                    .filter(line -> line.destination == destination)
                    .forEach(this::advance);
        }
    }

    // --- lines and parcels

    /**
     * Takes an entry in hand if it may be sent now or next. Otherwise it is passed over, and comes back when its line is
     * refilled, when it is due, through its destination's lane, or when its key is released.
     */
    void admit(Shard shard, Entry entry) {
        if (shard.hasInHand(entry.sequence()) || shard.draining) {
            return;
        }
        OrderKey key = entry.orderKey().orElse(null);
        // Most shards have none: hashing a key takes longer than to see that.
        ParkedKey.State parked = key == null || shard.parked.isEmpty() ? null : shard.parked.get(key);
        Destination destination = destination(entry.destination());
        if (key != null && parked != null) {
            if (parked == ParkedKey.State.PARKED) {
                shard.holdFrom(key, entry.sequence());
            }
            shard.passedOver.add(entry.sequence());
        } else if (destination.isPaused() || shard.isClosedTo(destination)) {
            shard.bringBack(destination.name, key, entry.sequence());
        } else if (key == null) {
            admitKeyless(shard, destination, entry);
        } else {
            admitKeyed(shard, destination, key, entry);
        }
    }

    private void admitKeyless(Shard shard, Destination destination, Entry entry) {
        if (!entry.isDue()) {
            shard.passedOver.add(entry.sequence());
        } else if (window.isOverfull()) {
            shard.bringBack(destination.name, null, entry.sequence());
        } else {
            take(entry, new Line(null, shard, destination));
        }
    }

    private void admitKeyed(Shard shard, Destination destination, OrderKey key, Entry entry) {
        Line line = shard.lines.computeIfAbsent(key, k -> new Line(k, shard, destination));
        boolean blocked =
                line.blocks(entry.sequence()) || line.queue.size() >= window.keyLimit() || window.isOverfull();
        if (!blocked && entry.isDue()) {
            take(entry, line);
            return;
        }
        shard.passedOver.add(entry.sequence());
        // A late commit may come after higher ones of its key were queued, in the same round: they must not go first.
        unqueueAbove(line, entry.sequence());
        if (!blocked && line.isIdle()) {
            line.hold(entry.sequence());
        } else {
            line.passOver(entry.sequence());
        }
        if (line.isHeldByLaterThan(entry.sequence())) {
            line.letGo();
        }
        advance(line);
    }

    private void unqueueAbove(Line line, long sequence) {
        for (Parcel last = line.queue.peekLast();
                last != null && last.sequence() > sequence;
                last = line.queue.peekLast()) {
            line.queue.removeLast();
            line.passOver(last.sequence());
            line.shard.passedOver.add(last.sequence());
            close(last);
        }
    }

    private void take(Entry entry, Line line) {
        int size = window.take(entry.event().payload().size());
        Parcel parcel = new Parcel(entry, line, size);
        line.shard.parcels.put(entry.sequence(), parcel);
        line.shard.highest = Math.max(line.shard.highest, entry.sequence());
        parcels++;
        line.destination.units += size;
        line.destination.meters.claimed.increment();
        line.add(parcel);
        advance(line);
    }

    /** An entry of a paused destination, to find out whether it is back; refused if its key is not free. */
    boolean admitProbe(Shard shard, Entry entry) {
        Destination destination = destination(entry.destination());
        OrderKey key = entry.orderKey().orElse(null);
        boolean free = key == null || (!shard.parked.containsKey(key) && !shard.lines.containsKey(key));
        if (!free || !entry.isDue() || shard.isClosedTo(destination) || shard.hasInHand(entry.sequence())) {
            return false;
        }
        Line line = new Line(key, shard, destination);
        if (key != null) {
            shard.lines.put(key, line);
        }
        take(entry, line);
        Parcel parcel = line.queue.remove();
        line.onTheWay = parcel;
        parcel.state = Parcel.State.PROBE;
        destination.probe = parcel;
        return true;
    }

    /** The line's next step, after anything about it changed: send, refill, wait, or be forgotten. */
    void advance(Line line) {
        if (line.onTheWay != null || line.isHeld() || line.shard.dropped) {
            return;
        }
        if (!line.queue.isEmpty()) {
            if (!line.scheduled) {
                line.scheduled = true;
                ready.computeIfAbsent(line.destination.priority(), priority -> new ArrayDeque<>())
                        .add(line);
            }
        } else if (line.key == null) {
            return;
        } else if (line.isIncomplete()) {
            if (!line.destination.isPaused() && !line.shard.draining && !line.shard.isClosedTo(line.destination)) {
                refills.add(line);
            }
        } else {
            line.shard.lines.remove(line.key, line);
        }
    }

    @Nullable
    Line pollReady() {
        for (Deque<Line> lines : ready.values()) {
            Line line = lines.poll();
            if (line != null) {
                line.scheduled = false;
                return line;
            }
        }
        return null;
    }

    boolean hasReady() {
        return ready.values().stream().anyMatch(lines -> !lines.isEmpty());
    }

    /** Lines to be read by key now; a line that could not be read is to be {@linkplain #advance advanced} again. */
    List<Line> takeRefills(int limit) {
        List<Line> taken = refills.stream().limit(limit).toList();
        taken.forEach(refills::remove);
        return taken;
    }

    /** Entries of a key are in the store that the scan has passed: read them by key. */
    void refill(Shard shard, OrderKey key) {
        Line line = shard.lines.computeIfAbsent(key, k -> new Line(k, shard, destination(k.destination())));
        line.passOverAll();
        advance(line);
    }

    boolean hasRefills() {
        return !refills.isEmpty();
    }

    /** What is queued behind a failed entry returns to the store's care, so that it does not fill the window. */
    void unqueue(Line line) {
        for (Parcel parcel : line.queue) {
            line.passOver(parcel.sequence());
            line.shard.passedOver.add(parcel.sequence());
            close(parcel);
        }
        line.queue.clear();
    }

    /** A parcel of a paused destination returns to the store's care; its lane brings it back. */
    void sendBack(Parcel parcel) {
        parcel.shard().bringBack(parcel.destination().name, parcel.line.key, parcel.sequence());
        close(parcel);
    }

    /** The parcel is no longer in hand. */
    void close(Parcel parcel) {
        if (parcel.shard().parcels.remove(parcel.sequence(), parcel)) {
            window.free(parcel.units);
            parcels--;
            parcel.destination().units -= parcel.units;
            if (parcel.destination().probe == parcel) {
                parcel.destination().probe = null;
            }
        }
    }

    // --- the window

    int parcels() {
        return parcels;
    }

    /**
     * How many units may be fetched so that no destination gets more than its share: even a destination that never answers
     * leaves room for the others. Destinations that are read separately do not hold back the scan.
     */
    int room() {
        Destination largest = largest();
        return window.share(largest == null ? 0 : largest.units);
    }

    /**
     * How many units may be read for a destination that is read separately.
     *
     * @param urgency the {@linkplain Priorities#urgency priority} to which lower ones make way
     */
    int laneRoom(Destination destination, int urgency) {
        return destination.priority() < urgency
                ? window.remainder(destination.units)
                : window.portion(destination.units);
    }

    /** The destination that takes most of the window, among those that the scan waits for. */
    @Nullable
    Destination largest() {
        Destination largest = null;
        for (Destination destination : destinations.values()) {
            if (destination.units > (largest == null ? 0 : largest.units) && !isLagging(destination)) {
                largest = destination;
            }
        }
        return largest;
    }
}
