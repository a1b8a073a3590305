package dev.waybill.testkit.sim;

import dev.waybill.inbox.InboxKey;
import dev.waybill.store.Entry;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.check.CheckedTransaction;
import dev.waybill.testkit.check.OrderChecker;
import dev.waybill.testkit.check.Verdict;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What a consumer was given and what took effect, and whether that is what was promised. Not thread-safe.
 *
 * <p>Order is that of the log, for each destination and key, by first appearance: an event takes effect after all that
 * appeared before it, unless an operator skipped or discarded it. One of those is out of the order from that decision on, even
 * if it is redriven later and takes effect then. Releasing a key, redriving its head and correcting excuse nothing.
 *
 * <p>An event of the log took effect once, or is a dead letter or waits behind one: never none of it. What took effect
 * elsewhere may have done so again only under a lease that was taken when no other one held and none was completed.
 */
final class Ledger {
    private record Lease(long epoch, long until) {}

    private final World world;
    private final String name;
    private final MemoryOutboxStore database;
    private final OrderChecker checker = new OrderChecker();
    private final Map<UUID, InboxKey> given = new LinkedHashMap<>();
    private final Map<InboxKey, Lease> leases = new HashMap<>();
    private final Set<InboxKey> completed = new HashSet<>();
    private final Set<UUID> tookEffect = new HashSet<>();

    Ledger(World world, String name, MemoryOutboxStore database) {
        this.world = world;
        this.name = name;
        this.database = database;
    }

    static UUID idOf(Delivery delivery) {
        return idOf(delivery.event().id(), delivery.replay());
    }

    /** What takes effect once has an id: an event, and each replay of it. */
    static UUID idOf(UUID event, int generation) {
        return generation == 0
                ? event
                : new UUID(event.getMostSignificantBits(), event.getLeastSignificantBits() ^ ((long) generation << 32));
    }

    /** The log has it. Returns whether it is new there. */
    boolean given(Delivery delivery) {
        UUID id = idOf(delivery);
        if (given.putIfAbsent(id, InboxKey.of(name, delivery)) != null) {
            return false;
        }
        CheckedTransaction checked = checker.begin();
        checked.inserting(id, delivery.event().destination(), delivery.event().key());
        checked.committing();
        checked.committed();
        return true;
    }

    /** It was skipped or discarded. */
    void excused(Entry entry) {
        checker.excused(idOf(entry.event().id(), entry.replay()));
    }

    void tookEffect(Delivery delivery) {
        world.tally.count("effects");
        tookEffect.add(idOf(delivery));
        checker.delivered(idOf(delivery));
    }

    void tookEffectElsewhere(Delivery delivery) {
        if (tookEffect.add(idOf(delivery))) {
            world.tally.count("effects");
            checker.delivered(idOf(delivery));
        } else {
            world.tally.count("effects repeated");
        }
    }

    // --- leases

    void leasing(MemoryTransaction transaction, InboxKey key, long epoch, Duration duration) {
        long now = world.time.now();
        Lease other = leases.get(key);
        if (completed.contains(key)) {
            world.problem("Somebody leases " + key + ", which was completed.");
        }
        if (other != null && (other.until > now || other.epoch >= epoch)) {
            world.problem("Somebody leases " + key + " with epoch " + epoch + " under the lease of " + other + ".");
        }
        transaction.onCommit(() -> leases.put(key, new Lease(epoch, now + duration.toNanos())));
    }

    void completing(MemoryTransaction transaction, InboxKey key, long epoch, boolean done) {
        if (isFenced("completes", key, epoch, done)) {
            transaction.onCommit(() -> completed.add(key));
        }
    }

    void releasing(MemoryTransaction transaction, InboxKey key, long epoch, boolean done) {
        if (isFenced("releases", key, epoch, done)) {
            transaction.onCommit(() -> leases.put(key, new Lease(epoch, world.time.now())));
        }
    }

    private boolean isFenced(String what, InboxKey key, long epoch, boolean done) {
        Lease lease = leases.get(key);
        if (done && (lease == null || lease.epoch != epoch)) {
            world.problem(
                    "Somebody " + what + " " + key + " with epoch " + epoch + ", but its lease is " + lease + ".");
        }
        return done;
    }

    // --- the end

    void judge() {
        Reckoning reckoning = new Reckoning(world, name, database);
        given.forEach((id, key) -> reckoning.check(id, key, tookEffect.contains(id)));
        Verdict verdict = checker.verdict(reckoning::isStored);
        if (!verdict.holds()) {
            world.problem("Consumer " + name + ": " + verdict);
        }
        if (verdict.duplicates() > 0) {
            world.problem(verdict.duplicates() + " events took effect twice for consumer " + name + ".");
        }
    }
}
