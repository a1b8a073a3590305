package dev.waybill.testkit.sim;

import dev.waybill.event.Event;
import dev.waybill.inbox.Claim;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.InboxStore;
import dev.waybill.inbox.Origin;
import dev.waybill.inbox.Setback;
import dev.waybill.store.Entry;
import dev.waybill.store.OrderKey;
import dev.waybill.store.memory.MemoryTransaction;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One process's connection to its consumer's database: transactions take time, fail before or after they took effect, or
 * see the process die; whoever would wait for a lock is told that it took too long. Not thread-safe.
 */
final class SimInbox implements InboxStore<MemoryTransaction> {
    private static final double TAKES_TIME = 0.2;

    private final World world;
    private final Consuming consuming;
    private final Mortal process;
    private final Server server;
    private final InboxStore<MemoryTransaction> inbox;
    private final Ledger ledger;
    private final Map<MemoryTransaction, Set<Object>> locked = new HashMap<>();

    SimInbox(World world, Consuming consuming, Mortal process, Server server, Ledger ledger) {
        this.world = world;
        this.consuming = consuming;
        this.process = process;
        this.server = server;
        this.ledger = ledger;
        inbox = server.store().inbox();
    }

    /** What a process has open when it dies is rolled back when somebody notices. */
    @Override
    public <R> R inTransaction(Work<MemoryTransaction, R> work) throws Exception {
        takeTime();
        if (server.isDown() || process.strikes(consuming.faults().store())) {
            throw fail("cannot begin a transaction");
        }
        MemoryTransaction transaction = server.store().begin();
        locked.put(transaction, new HashSet<>());
        Runnable ending = () -> end(transaction);
        server.opened(ending);
        try (transaction) {
            R result = work.run(transaction);
            commit(transaction);
            return result;
        } finally {
            server.closed(ending);
            locked.remove(transaction);
        }
    }

    /** The server is gone, and the transaction with it. */
    private void end(MemoryTransaction transaction) {
        transaction.close();
        locked.remove(transaction);
    }

    private void requireOpen(MemoryTransaction transaction) {
        if (!locked.containsKey(transaction)) {
            throw fail("has lost its connection");
        }
    }

    private void commit(MemoryTransaction transaction) {
        takeTime();
        crashMaybe("before a commit");
        requireOpen(transaction);
        boolean fails = process.strikes(consuming.faults().store());
        if (fails && world.dice.chance(0.5)) {
            throw fail("cannot commit");
        }
        transaction.commit();
        if (fails) {
            throw fail("does not know that it has committed");
        }
        crashMaybe("after a commit");
        takeTime();
    }

    private SimulatedStoreFailure fail(String what) {
        world.note(process.name(), what);
        world.tally.count("consumer store faults");
        return new SimulatedStoreFailure("The database: the process " + what + ".");
    }

    private void crashMaybe(String when) {
        if (process.strikes(consuming.faults().crashes())) {
            process.crash(when);
        }
        process.requireAlive();
    }

    private void takeTime() {
        process.requireAlive();
        if (world.dice.chance(TAKES_TIME)) {
            world.time.block(world.dice.micros(50, 2000));
            process.requireAlive();
        }
    }

    /** A call that waits for a lock would stop the only thread there is, and whoever holds it with that. */
    private void lock(MemoryTransaction transaction, Object what, boolean isLocked) {
        requireOpen(transaction);
        Set<Object> mine = Objects.requireNonNull(locked.get(transaction));
        if (isLocked && !mine.contains(what)) {
            world.tally.count("lock waits");
            throw new SimulatedStoreFailure("Waited too long for " + what + ".");
        }
        mine.add(what);
    }

    private void lock(MemoryTransaction transaction, InboxKey key) {
        lock(transaction, key, server.store().isLocked(key));
    }

    @Override
    public Claim claim(MemoryTransaction transaction, InboxKey key, Origin origin) {
        crashMaybe("before a claim");
        lock(transaction, key);
        return inbox.claim(transaction, key, origin);
    }

    @Override
    public boolean isClaimed(MemoryTransaction transaction, InboxKey key) {
        requireOpen(transaction);
        return inbox.isClaimed(transaction, key);
    }

    @Override
    public Claim claimAside(MemoryTransaction transaction, InboxKey key) {
        lock(transaction, key);
        return inbox.claimAside(transaction, key);
    }

    @Override
    public Claim lease(MemoryTransaction transaction, InboxKey key, Origin origin, Duration duration) {
        lock(transaction, key);
        Claim claim = inbox.lease(transaction, key, origin, duration);
        if (claim.isTaken()) {
            ledger.leasing(transaction, key, claim.epoch(), duration);
        }
        return claim;
    }

    @Override
    public boolean complete(MemoryTransaction transaction, InboxKey key, long epoch) {
        lock(transaction, key);
        boolean completed = inbox.complete(transaction, key, epoch);
        ledger.completing(transaction, key, epoch, completed);
        return completed;
    }

    @Override
    public boolean release(MemoryTransaction transaction, InboxKey key, long epoch, Origin origin) {
        lock(transaction, key);
        boolean released = inbox.release(transaction, key, epoch, origin);
        ledger.releasing(transaction, key, epoch, released);
        return released;
    }

    @Override
    public Set<InboxKey> seen(Collection<InboxKey> keys) {
        return inbox.seen(keys);
    }

    @Override
    public Duration retention() {
        return inbox.retention();
    }

    @Override
    public boolean isAside(MemoryTransaction transaction, OrderKey lane) {
        requireOpen(transaction);
        boolean aside = inbox.isAside(transaction, lane);
        takeTime();
        return aside;
    }

    /** With a wait by the world's dice: a consumer takes other ones. */
    @Override
    public void setAside(MemoryTransaction transaction, Event event, int replay, Setback setback) {
        String key = event.key();
        if (key != null) {
            OrderKey lane = new OrderKey(event.destination(), key);
            lock(transaction, lane, server.store().isLocked(lane));
        }
        Duration wait = setback.retryAfter();
        String error = setback.error();
        inbox.setAside(
                transaction,
                event,
                replay,
                wait == null || wait.isZero() || error == null
                        ? setback
                        : Setback.retry(setback.attempts(), error, wait(setback.attempts())));
    }

    private Duration wait(int failures) {
        return consuming.config().retry().wait(failures, world.dice.split());
    }

    @Override
    public List<Entry> stored(String consumer, long afterSequence, int limit) {
        return inbox.stored(consumer, afterSequence, limit);
    }
}
