package dev.waybill.testkit.check;

import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import dev.waybill.testkit.check.Track.Fate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was committed with what arrived: finds lost events, ghosts, duplicates and broken order. Thread-safe.
 *
 * <p>Order is what Waybill promises, per destination and key, between first deliveries: an event whose commit had
 * <em>returned</em> before the insert of another <em>started</em> arrives first (for strict keys: before the commit of the
 * other started); within a transaction, publish order. What overlaps is unordered, and sequence numbers play no part.
 *
 * <p>Costs a few map operations an event. It holds what has not arrived, and two bytes for each event that has.
 */
public final class OrderChecker {
    private static final int EXAMPLES = 20;

    private final Predicate<OrderKey> strictKeys;
    private final Map<UUID, Track> live = new HashMap<>();
    // Per key, committed and not arrived, in the order in which the commits returned; those that no longer hold their
    // place leave when they come to the head.
    private final Map<OrderKey, ArrayDeque<Track>> waiting = new HashMap<>();
    private final SettledIds settled = new SettledIds();
    private final List<String> ghostExamples = new ArrayList<>();
    private final Map<UUID, String> overtakenExamples = new LinkedHashMap<>();
    private long time;
    private long written;
    private long rolledBack;
    private long cancelled;
    private long delivered;
    private long duplicates;
    private long ghosts;
    private long outOfOrder;

    /** A checker without strict keys. */
    public OrderChecker() {
        this(key -> false);
    }

    /** A checker that holds some keys to the order of commits even when transactions overlap. */
    public OrderChecker(Predicate<OrderKey> strictKeys) {
        this.strictKeys = strictKeys;
    }

    /** To be called for each transaction before its first insert. */
    public CheckedTransaction begin() {
        return new CheckedTransaction(this);
    }

    /** To be called by the consumer for each arrival, as soon as it can. */
    public synchronized void delivered(UUID id) {
        time++;
        Track track = live.get(id);
        if (track == null) {
            if (settled.contains(id)) {
                duplicates++;
            } else {
                ghost(id, "was rolled back, cancelled or never written");
            }
            return;
        }
        if (track.fate == Fate.OPEN && track.transaction.commitStarted == 0) {
            ghost(id, "arrived before its transaction began to commit");
            return;
        }
        if (track.delivered) {
            duplicates++;
            return;
        }
        track.delivered = true;
        delivered++;
        checkOrder(track);
        if (track.fate == Fate.UNCERTAIN) {
            written++;
        }
        if (track.fate != Fate.OPEN) {
            settle(track);
        }
    }

    /**
     * The event has given up its place in the order, for instance as a dead letter that was skipped: later ones may
     * arrive before it. To be called before it is tried again; others may have overtaken it already.
     */
    public synchronized void excused(UUID id) {
        Track track = live.get(id);
        if (track != null && !track.delivered) {
            excuse(track);
        }
    }

    /** The event was cancelled for certain, the commit of that having returned before it was due: it must not arrive. */
    public synchronized void cancelled(UUID id) {
        Track track = live.get(id);
        if (track == null || track.delivered) {
            ghost(id, "was cancelled before it was due, but had arrived");
            return;
        }
        withdraw(track, Fate.ROLLED_BACK);
        live.remove(id);
        cancelled++;
    }

    /** The event may or may not arrive from now on, at any place in the order, for instance when it was cancelled late. */
    public synchronized void uncertain(UUID id) {
        Track track = live.get(id);
        if (track != null && !track.delivered) {
            withdraw(track, Fate.UNCERTAIN);
        }
    }

    /** The verdict when everything should have arrived. */
    public Verdict verdict() {
        return verdict(id -> false);
    }

    /**
     * The verdict.
     *
     * @param stillThere whether an event that has not arrived is still in the outbox or among the dead letters
     */
    public Verdict verdict(Predicate<UUID> stillThere) {
        List<Track> missing = new ArrayList<>();
        Verdict soFar = snapshot(missing);
        // Asked without the lock, because the answer may come from a database.
        List<Track> lost =
                missing.stream().filter(track -> !stillThere.test(track.id)).toList();
        List<String> examples = new ArrayList<>();
        lost.stream().limit(EXAMPLES).forEach(track -> examples.add("Lost: " + describe(track) + "."));
        examples.addAll(soFar.examples());
        return new Verdict(
                soFar.written(),
                soFar.rolledBack(),
                soFar.cancelled(),
                soFar.undecided(),
                soFar.delivered(),
                soFar.duplicates(),
                missing.size() - lost.size(),
                lost.size(),
                soFar.ghosts(),
                soFar.outOfOrder(),
                examples);
    }

    private synchronized Verdict snapshot(List<Track> missing) {
        long undecided = 0;
        for (Track track : live.values()) {
            if (track.delivered) {
                continue;
            }
            if (track.fate == Fate.COMMITTED) {
                missing.add(track);
            } else {
                undecided++;
            }
        }
        List<String> examples = new ArrayList<>(ghostExamples);
        examples.addAll(overtakenExamples.values());
        return new Verdict(
                written, rolledBack, cancelled, undecided, delivered, duplicates, 0, 0, ghosts, outOfOrder, examples);
    }

    synchronized void inserting(CheckedTransaction transaction, List<Event> events) {
        events.forEach(event -> inserting(transaction, event.id(), event.destination(), event.key()));
    }

    synchronized void inserting(CheckedTransaction transaction, UUID id, String destination, @Nullable String key) {
        requireOpen(transaction);
        OrderKey orderKey = key == null ? null : new OrderKey(destination, key);
        boolean strict = orderKey != null && strictKeys.test(orderKey);
        Track track = new Track(id, orderKey, strict, transaction, ++time);
        if (live.putIfAbsent(id, track) != null) {
            throw new IllegalArgumentException("Event " + id + " is inserted twice; ids are unique.");
        }
        transaction.tracks.add(track);
        if (orderKey != null) {
            track.previous = transaction.lastOfKey.put(orderKey, track);
        }
    }

    synchronized int savepoint(CheckedTransaction transaction) {
        return transaction.tracks.size();
    }

    synchronized void rolledBackTo(CheckedTransaction transaction, int savepoint) {
        requireOpen(transaction);
        List<Track> gone = transaction.tracks.subList(savepoint, transaction.tracks.size());
        gone.forEach(this::rollBack);
        gone.clear();
    }

    synchronized void committing(CheckedTransaction transaction) {
        requireOpen(transaction);
        transaction.commitStarted = ++time;
    }

    synchronized void committed(CheckedTransaction transaction) {
        requireOpen(transaction);
        if (transaction.commitStarted == 0) {
            throw new IllegalStateException("Call committing() before the commit, and committed() after it.");
        }
        transaction.ended = true;
        time++;
        for (Track track : transaction.tracks) {
            track.fate = Fate.COMMITTED;
            track.commitReturned = time;
            written++;
            if (track.delivered) {
                settle(track);
            } else if (track.key != null) {
                waiting.computeIfAbsent(track.key, key -> new ArrayDeque<>(4)).add(track);
            }
        }
    }

    synchronized void rolledBack(CheckedTransaction transaction) {
        rolledBackTo(transaction, 0);
        transaction.ended = true;
    }

    synchronized void unknown(CheckedTransaction transaction) {
        requireOpen(transaction);
        transaction.ended = true;
        for (Track track : transaction.tracks) {
            track.fate = Fate.UNCERTAIN;
            if (track.delivered) {
                written++;
                settle(track);
            }
        }
    }

    private void rollBack(Track track) {
        track.fate = Fate.ROLLED_BACK;
        rolledBack++;
        live.remove(track.id);
        if (track.delivered) {
            delivered--;
            ghost(track.id, "was rolled back");
        }
    }

    private void checkOrder(Track arrived) {
        OrderKey key = arrived.key;
        if (key == null) {
            return;
        }
        for (Track earlier = arrived.previous; earlier != null; earlier = earlier.previous) {
            if (earlier.holdsItsPlace()) {
                overtake(earlier, arrived, "of the same transaction, published later");
            }
        }
        // All before it has arrived or is reported: whoever comes later need not look further back.
        arrived.previous = null;
        ArrayDeque<Track> queue = waiting.get(key);
        if (queue == null) {
            return;
        }
        for (Track head = queue.peek(); head != null; head = queue.peek()) {
            if (head.holdsItsPlace()) {
                if (head.commitReturned >= arrived.boundBy()) {
                    return;
                }
                overtake(head, arrived, arrived.strict ? "committed later" : "inserted after that commit");
            }
            queue.remove();
        }
        waiting.remove(key);
    }

    private void overtake(Track earlier, Track later, String how) {
        earlier.overtaken = true;
        outOfOrder++;
        if (overtakenExamples.size() < EXAMPLES) {
            overtakenExamples.put(
                    earlier.id,
                    "Out of order: " + describe(earlier) + " was overtaken by " + describe(later) + ", " + how + ".");
        }
    }

    private void withdraw(Track track, Fate fate) {
        excuse(track);
        if (track.fate == Fate.COMMITTED) {
            written--;
        }
        track.fate = fate;
    }

    private void excuse(Track track) {
        track.excused = true;
        if (track.overtaken) {
            track.overtaken = false;
            outOfOrder--;
            overtakenExamples.remove(track.id);
        }
    }

    private void settle(Track track) {
        live.remove(track.id);
        settled.add(track.id);
    }

    private void ghost(UUID id, String why) {
        ghosts++;
        if (ghostExamples.size() < EXAMPLES) {
            ghostExamples.add("Ghost: event " + id + " " + why + ".");
        }
    }

    private static void requireOpen(CheckedTransaction transaction) {
        if (transaction.ended) {
            throw new IllegalStateException("The transaction has ended already.");
        }
    }

    private static String describe(Track track) {
        String text = "event " + track.id + (track.key == null ? "" : " of " + track.key) + " (inserted at "
                + track.insertStarted;
        return text + (track.commitReturned > 0 ? ", committed at " + track.commitReturned : "") + ")";
    }
}
