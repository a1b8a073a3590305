package dev.waybill.testkit.sim;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.inbox.Claim;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.Origin;
import dev.waybill.store.Entry;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Compares, when nothing is left to do, what a consumer's inbox says of an event with its effect and the siding. */
final class Reckoning {
    private static final int ALL = Integer.MAX_VALUE;

    private final World world;
    private final String name;
    private final MemoryOutboxStore database;
    private final Map<UUID, Entry> stored = new HashMap<>();
    private final Map<UUID, DeadLetter> letters = new HashMap<>();

    Reckoning(World world, String name, MemoryOutboxStore database) {
        this.world = world;
        this.name = name;
        this.database = database;
        database.inbox().stored(name, Long.MIN_VALUE, ALL).forEach(this::store);
        DeadLetterFilter own = DeadLetterFilter.all().withDestination(name);
        database.deadLetters().list(own, 0, ALL).forEach(letter -> letters.put(idOf(letter), letter));
        DeadLetterFilter discarded = own.withState(DeadLetter.State.DISCARDED);
        for (DeadLetter letter : database.deadLetters().list(discarded, 0, ALL)) {
            letters.put(idOf(letter), letter);
            store(letter.entry());
        }
        world.tally.count("left as dead letters", letters.size());
        world.tally.count("left behind them", stored.size() - letters.size());
    }

    private void store(Entry entry) {
        UUID id = Ledger.idOf(entry.event().id(), entry.replay());
        Entry other = stored.put(id, entry);
        if (other != null) {
            problem(id, "is twice in the siding, as #" + other.sequence() + " and #" + entry.sequence());
        }
    }

    private static UUID idOf(DeadLetter letter) {
        return Ledger.idOf(letter.entry().event().id(), letter.entry().replay());
    }

    /** Whether it waits, or is a dead letter. */
    boolean isStored(UUID id) {
        return stored.containsKey(id);
    }

    void check(UUID id, InboxKey key, boolean tookEffect) {
        Entry entry = stored.get(id);
        DeadLetter letter = letters.get(id);
        switch (statusOf(key)) {
            case DONE -> {
                if (!tookEffect) {
                    problem(id, "is recorded as handled, but took no effect");
                }
                // One that waits may have had its effect from a relay that died before it could settle it, and come to
                // wait when an earlier one was redriven and died again. One that is dead may have died of a time-out
                // while
                // its handler was at it, and nobody has redriven it since.
                if (entry != null && letter != null && letter.state() == DeadLetter.State.PENDING) {
                    problem(id, "took effect, but is still in the siding as #" + entry.sequence());
                }
            }
            case ASIDE -> {
                if (entry == null) {
                    problem(id, "is recorded as put aside, but is not in the siding");
                }
            }
            default -> problem(id, "is unknown to the inbox" + (entry == null ? "" : ", but in the siding"));
        }
    }

    /** What the next delivery of it would be told. */
    private Claim.Status statusOf(InboxKey key) {
        if (database.isLocked(key)) {
            world.problem("Somebody still has " + key + ".");
            return Claim.Status.BUSY;
        }
        try (MemoryTransaction transaction = database.begin()) {
            return database.inbox().claim(transaction, key, Origin.SOURCE).status();
        }
    }

    private void problem(UUID id, String what) {
        world.problem("Event " + id + " " + what + ", at consumer " + name + ".");
    }
}
