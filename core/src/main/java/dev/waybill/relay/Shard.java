package dev.waybill.relay;

import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ParkedKey;
import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.Term;
import dev.waybill.transport.Transport;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a relay knows about a shard that it owns. Owned by the relay's thread.
 *
 * <p>A shard that is lost and taken again is a new object: what belonged to the old one finds it {@link #dropped}.
 */
final class Shard {
    final Lease lease;

    /** Parcels in hand, by sequence. */
    final Map<Long, Parcel> parcels = new LinkedHashMap<>();

    final Map<OrderKey, Line> lines = new LinkedHashMap<>();
    final Map<OrderKey, ParkedKey.State> parked = new LinkedHashMap<>();

    /** Parked keys with entries in the outbox that are to wait behind the dead one, and where those begin. */
    final Map<OrderKey, Long> toHold = new LinkedHashMap<>();

    /** Destinations that are read separately because the scan does not wait for them: up to where they were read. */
    final Map<String, Long> lanes = new LinkedHashMap<>();

    /** Sequences above the low-water mark that somebody else brings back: not late commits. */
    final Set<Long> passedOver = new HashSet<>();

    /** The highest sequence that was ever in hand: beyond the position if it came by another way than the scan. */
    long highest;

    long rewind;
    long lowWater;
    long position;

    /** The last read stopped at its limit. */
    boolean more = true;

    /** Not read since somebody asked for a look into the store. */
    boolean unread = true;

    long rescanAt;

    /** Through which term something goes to a transport with a ledger. */
    private final Map<Transport, Term> terms = new HashMap<>(2);

    /** To be given back: nothing more is read or sent. */
    boolean draining;

    boolean dropped;

    Shard(Lease lease) {
        this.lease = lease;
        rewind = lease.rewind();
    }

    int number() {
        return lease.shard();
    }

    /** Whether an entry is in hand. Of what is read on none is, which a look at the highest one tells without a search. */
    boolean hasInHand(long sequence) {
        return sequence <= highest && parcels.containsKey(sequence);
    }

    /** Whether nothing may be sent there, because nobody knows yet what has arrived there before. */
    boolean isClosedTo(Destination destination) {
        return destination.route != null
                && destination.route.transport() instanceof LedgerTransport ledger
                && !terms.containsKey(ledger);
    }

    /** Whether a destination is behind the scan here, and may be read. */
    boolean hasLane(Destination destination) {
        return !lanes.isEmpty() && lanes.containsKey(destination.name) && !isClosedTo(destination);
    }

    @Nullable
    Term term(Transport transport) {
        // For every parcel, twice, and most transports have none: looking that up took a tenth of the relay's thread.
        return terms.isEmpty() ? null : terms.get(transport);
    }

    void open(LedgerTransport transport, Term term) {
        terms.put(transport, term);
    }

    void close(LedgerTransport transport) {
        terms.remove(transport);
    }

    boolean isToBeRead() {
        return more || unread;
    }

    /**
     * Reads the shard from its beginning again. Lanes go back to the low-water mark: the scan passes over their destinations, so that
     * nobody else would find what is committed late between there and where they are.
     */
    void rescan() {
        lanes.replaceAll((destination, lane) -> Math.min(lane, lowWater));
        lowWater = 0;
        position = 0;
        more = true;
        passedOver.clear();
    }

    /**
     * Keys that are held with nothing behind them: the scan finds the entry that holds them again, if it was not cancelled.
     * Not those of a destination with a lane, which the scan passes over.
     */
    void forgetHeldKeys() {
        lines.values()
                .removeIf(line -> line.isHeld()
                        && line.isIdle()
                        && !line.isIncomplete()
                        && !lanes.containsKey(line.destination.name));
    }

    void park(List<ParkedKey> keys) {
        parked.clear();
        toHold.clear();
        keys.forEach(key -> parked.put(key.key(), key.state()));
    }

    /** Something of a parked key is in the outbox, from there on. */
    void holdFrom(OrderKey key, long sequence) {
        toHold.merge(key, sequence, Math::min);
    }

    void raiseLowWater(long mark) {
        lowWater = mark;
        passedOver.removeIf(sequence -> sequence <= mark);
    }

    /**
     * A stretch of a key up to where the shard was read: beyond that the scan or the lane brings everything. A lane leads the scan
     * while the shard is scanned again.
     */
    KeyCursor stretch(OrderKey key, long from) {
        return new KeyCursor(key, from, Math.max(position, lanes.getOrDefault(key.destination(), 0L)));
    }

    /** Whether a destination's lane has come further than that, or is no longer needed. */
    boolean isReadBeyond(String destination, long sequence) {
        Long lane = lanes.get(destination);
        return lane == null || lane > sequence;
    }

    /** A destination's lane goes back far enough to bring an entry. */
    void bringBack(String destination, @Nullable OrderKey key, long sequence) {
        lanes.merge(destination, sequence - 1, Math::min);
        leave(key, sequence);
    }

    /** An entry is left to its destination's lane; a refill of its key must not begin beyond it. */
    void leave(@Nullable OrderKey key, long sequence) {
        passedOver.add(sequence);
        Line line = key == null ? null : lines.get(key);
        if (line != null) {
            line.leave(sequence);
        }
    }

    /** Whether something of the key is sent and not yet settled. */
    boolean isOnTheWay(OrderKey key) {
        Line line = lines.get(key);
        return line != null && line.onTheWay != null;
    }

    boolean isSettled() {
        return parcels.isEmpty();
    }

    /** Keys that somebody released; a copy, because the caller changes the map. */
    List<OrderKey> releasing() {
        return parked.entrySet().stream()
                .filter(entry -> entry.getValue() == ParkedKey.State.RELEASING)
                .map(Map.Entry::getKey)
                .toList();
    }
}
