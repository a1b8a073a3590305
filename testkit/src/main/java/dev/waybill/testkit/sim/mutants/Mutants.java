package dev.waybill.testkit.sim.mutants;

import static dev.waybill.testkit.sim.mutants.Mutant.planted;

import java.util.List;

/** The bugs to be planted: what keeps each promise, taken out. */
final class Mutants {
    private static final String AHEAD = "relay/ReadAhead.java";
    private static final String COURIER = "relay/Courier.java";
    private static final String FETCHER = "relay/Fetcher.java";
    private static final String KEEPER = "relay/ShardKeeper.java";
    private static final String LEASES = "store/memory/LeaseTable.java";
    private static final String SHARD = "relay/Shard.java";
    private static final String STORE = "store/memory/MemoryOutboxStore.java";
    private static final String CONSUMER = "inbox/InboxConsumer.java";

    private Mutants() {}

    static List<Mutant> all() {
        return List.of(
                planted(
                        "settled before it is acknowledged",
                        1,
                        COURIER,
                        "            transport.send(batch, mailbox);",
                        """
                            batch.forEach(delivery -> mailbox.onResult(delivery, DeliveryResult.delivered()));
                            transport.send(batch, mailbox);"""),
                planted(
                        "what a savepoint takes back is stored",
                        2,
                        "store/memory/MemoryTransaction.java",
                        "        changes.subList(savepoint.changes, changes.size()).clear();",
                        ""),
                planted("a failed entry is overtaken", 3, COURIER, """
                                    depot.unqueue(parcel.line);
                                    parcel.line.hold(parcel.sequence());
                        """, ""),
                planted(
                        "no rewind when entries are put back",
                        3,
                        LEASES,
                        "new Lease(shard, lease.epoch(), lease.rewind() + 1)",
                        "lease"),
                planted(
                        "a successor does not know parked keys",
                        3,
                        KEEPER,
                        "parked.stream().filter(key -> key.shard() == lease.shard()).toList()",
                        "List.of()"),
                planted(
                        "a released key goes on after the first batch",
                        3,
                        "relay/Settler.java",
                        "if (restored.getAsInt() < batchSize)",
                        "if (restored.getAsInt() <= batchSize)"),
                planted(
                                "a key that is being released is not held",
                                3,
                                "relay/Depot.java",
                                "if (key != null && parked != null) {",
                                "if (key != null && parked == ParkedKey.State.PARKED) {")
                        .knownFrom(162),
                planted(
                                "the rest of a key ends at the scan, not at its lane",
                                3,
                                SHARD,
                                "Math.max(position, lanes.getOrDefault(key.destination(), 0L))",
                                "position")
                        .knownFrom(434),
                planted(
                        "the rest of a key begins beyond what was passed over",
                        3,
                        "relay/Line.java",
                        "leftFrom = Math.min(leftFrom, sequence);",
                        "leftFrom = leftFrom == Long.MAX_VALUE ? sequence : Math.max(leftFrom, sequence);"),
                planted(
                        "what comes after a retried entry is forgotten",
                        3,
                        "relay/Line.java",
                        "        if (rest) {",
                        "        if (false) {"),
                planted(
                        "what goes back to a lane is not remembered of its key",
                        3,
                        SHARD,
                        "            line.leave(sequence);",
                        ""),
                planted(
                        "strict keys are not locked",
                        3,
                        STORE,
                        "                lockSorted(transaction, strictKeys);",
                        ""),
                planted(
                                "an answer is credited to a later send",
                                4,
                                COURIER,
                                "        Parcel parcel = inFlight.remove(sendId);",
                                """
                                        Parcel parcel = inFlight.remove(sendId);
                                        Long sequence = sequences.get(sendId);
                                        for (Map.Entry<Long, Parcel> other : inFlight.entrySet()) {
                                            if (parcel == null && sequence != null && other.getValue().sequence() == sequence) {
                                                return land(other.getKey());
                                            }
                                        }
                                """)
                        .and(COURIER, "    private long lastSendId;", """
                                    private long lastSendId;
                                    private final Map<Long, Long> sequences = new LinkedHashMap<>();
                                """)
                        .and(COURIER, "            inFlight.put(parcel.sendId, parcel);", """
                                            inFlight.put(parcel.sendId, parcel);
                                            sequences.put(parcel.sendId, parcel.sequence());
                                """)
                        .knownFrom(153),
                planted(
                        "what has arrived is forgotten when the store fails",
                        4,
                        "relay/Settler.java",
                        "            arrivals.remember(settlement.parcel);",
                        ""),
                planted(
                        "shards are given back before they are settled",
                        4,
                        KEEPER,
                        "shard.draining && shard.isSettled()",
                        "shard.draining"),
                planted(
                                "read ahead although something beyond was in hand",
                                4,
                                AHEAD,
                                " && shard.highest <= shard.position",
                                "")
                        .knownFrom(170),
                // Two rules see to it, and either one is enough.
                planted(
                                "read ahead and used although something else was read",
                                4,
                                AHEAD,
                                "if (portion == null || !Chain.isFor(portion.cursors, wanted, true)) {",
                                "if (portion == null) {")
                        .and(FETCHER, """
                                if (moreThanShards) {
                                    ahead.forget();
                                }
                        """, "")
                        .knownFrom(3385),
                planted(
                                "the fence does not lock the lease",
                                5,
                                "store/memory/Changes.java",
                                "if (leases.holds(relay, shard, epochs[shard])) {",
                                "if (leases.holds(relay, shard, epochs[shard])"
                                        + " || leases.heldLately(relay, shard, epochs[shard], now)) {")
                        .and(LEASES, "    Lease lease(int shard) {", """
                                    private final UUID[] oldOwners = new UUID[Shards.COUNT];
                                    private final Instant[] takenAt = new Instant[Shards.COUNT];

                                    /** A statement that began before the take sees its own snapshot. */
                                    boolean heldLately(UUID relay, int shard, long epoch, Instant now) {
                                        return relay.equals(oldOwners[shard])
                                                && slots[shard].lease.epoch() == epoch + 1
                                                && takenAt[shard].plusSeconds(1).isAfter(now);
                                    }

                                    Lease lease(int shard) {""")
                        .and(LEASES, "            if (free && among.contains(slot.lease.shard())) {", """
                                            if (free && among.contains(slot.lease.shard())) {
                                                oldOwners[slot.lease.shard()] = slot.owner;
                                                takenAt[slot.lease.shard()] = now;
                                """)
                        .knownFrom(420),
                planted(
                        "the fence does not compare the epoch",
                        5,
                        LEASES,
                        "return isOwner(relay, shard) && slots[shard].lease.epoch() == epoch;",
                        "return isOwner(relay, shard);"),
                planted("no new epoch after an unknown settle", 5, LEASES, """
                                    if (relay.equals(slot.owner)) {
                                        taken.add(slot.take(relay, expires));
                        """, """
                                    if (relay.equals(slot.owner)) {
                                        slot.expires = expires;
                                        taken.add(slot.lease);
                        """),
                planted(
                                "a lease is judged by the relay's own clock",
                                5,
                                STORE,
                                "return leases.take(relay, among, atMost, now, now.plus(lease));",
                                "Instant own = now.plusSeconds(relay.hashCode() % 3600);"
                                        + " return leases.take(relay, among, atMost, own, own.plus(lease));")
                        .and(
                                STORE,
                                "return leases.renew(relay, now, now.plus(lease));",
                                "Instant own = now.plusSeconds(relay.hashCode() % 3600);"
                                        + " return leases.renew(relay, own, own.plus(lease));"),
                planted(
                        "a relay sends although its lease may be over",
                        5,
                        KEEPER,
                        "return now < sendUntil;",
                        "return true;"),
                planted(
                        "a destination that is down is not paused",
                        6,
                        COURIER,
                        "            depot.pause(destination, reason);",
                        ""),
                planted(
                        "bare cursor: no low-water mark",
                        7,
                        "relay/LateCommits.java",
                        "long mark = Math.min(shard.position, decided);",
                        "long mark = shard.position;"),
                planted(
                        "writers are not waited for",
                        7,
                        "relay/LateCommits.java",
                        "new HashSet<>(scan.writers())",
                        "new HashSet<>()"),
                planted(
                                "claimed before the effect, in a transaction of its own",
                                8,
                                CONSUMER,
                                "        InboxHandler<T> handler = Objects.requireNonNull(task.handler());",
                                """
                                        InboxHandler<T> handler = Objects.requireNonNull(task.handler());
                                        Claim early = store.inTransaction(
                                                first -> store.claim(first, InboxKey.of(name, task.delivery()), origin));
                                """)
                        .and(
                                CONSUMER,
                                "            Claim claim = store.claim(transaction, key, origin);",
                                "            Claim claim = early;"),
                planted(
                        "a consumer does not look whether something of the key waits",
                        8,
                        CONSUMER,
                        "|| !store.isAside(transaction, new OrderKey(name, key))",
                        "|| true"),
                planted(
                                "what is decided outlives the database",
                                1,
                                FETCHER,
                                "            opened = depot.opened();\n            lateCommits.reset();",
                                "            opened = depot.opened();")
                        .knownFrom(246),
                planted(
                        "a decision is not audited",
                        10,
                        "store/memory/MemoryDeadLetters.java",
                        "            tables.audit.add(now, Action.REDRIVE, subject(letter), idOf(letter), signature);",
                        ""),
                planted(
                        "a redriven dead letter stays one",
                        10,
                        "store/memory/Graveyard.java",
                        "        dead.remove(letter.entry().sequence());\n        return Row.revived(letter.entry(), now);",
                        "        return Row.revived(letter.entry(), now);"),
                planted(
                                "a replay copies the last delivery of a step twice",
                                10,
                                "store/memory/ReplayRun.java",
                                "                    return spend(copied);",
                                "                    position = position == null ? null : History.Position.before(position.deliveredAt());"
                                        + " return spend(copied);")
                        .knownFrom(117),
                planted(
                        "dead relays count as live",
                        9,
                        LEASES,
                        "        announced.values().removeIf(until -> !until.isAfter(now));",
                        ""));
    }
}
