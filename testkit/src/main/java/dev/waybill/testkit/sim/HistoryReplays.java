package dev.waybill.testkit.sim;

import static dev.waybill.testkit.store.StoreFixture.TESTER;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Replays of what is in the history: each brings a copy of all that its filter means, once unless something goes wrong, or
 * leaves it as a dead letter. Not thread-safe.
 */
final class HistoryReplays {
    private static final int ALL = Integer.MAX_VALUE;

    private final World world;
    private final Map<Integer, Long> expected = new LinkedHashMap<>();
    private final Map<Integer, Set<UUID>> arrived = new HashMap<>();
    private long duplicates;

    HistoryReplays(World world) {
        this.world = world;
    }

    /** Returns whether there was anything to replay. */
    boolean start(String destination) {
        Instant now = world.time.instant();
        ReplayFilter filter = ReplayFilter.between(now.minus(world.dice.millis(1, 15_000)), now)
                .withDestination(world.dice.chance(0.5) ? destination : null);
        long count = store().replays().count(filter);
        if (count == 0) {
            return false;
        }
        UUID request = world.dice.uuid();
        int perSecond = world.dice.between(5, 500);
        Replay replay = world.fleet.server.change(store -> store.replays().start(request, filter, perSecond, TESTER));
        world.note("operator", "replays " + count + " deliveries as generation " + replay.generation());
        world.tally.count("replays");
        expected.put(replay.generation(), count);
        return true;
    }

    void arrived(Delivery copy) {
        world.tally.count("replayed");
        if (!arrived.computeIfAbsent(copy.replay(), generation -> new HashSet<>())
                .add(copy.event().id())) {
            duplicates++;
        }
    }

    long duplicates() {
        return duplicates;
    }

    boolean isDone() {
        return store().replays().list(ALL).stream().allMatch(replay -> replay.state() == Replay.State.DONE);
    }

    /** How many copies have not arrived. */
    long outstanding() {
        return expected.entrySet().stream()
                .mapToLong(replay -> Math.max(
                        0,
                        replay.getValue()
                                - arrived.getOrDefault(replay.getKey(), Set.of())
                                        .size()))
                .sum();
    }

    /** How long those that are not done take at their own pace, one after the other. */
    Duration remaining() {
        return store().replays().list(ALL).stream()
                .filter(replay -> replay.state() == Replay.State.RUNNING)
                .map(replay -> Duration.ofMillis(1000
                        * Math.max(0, expected.getOrDefault(replay.generation(), 0L) - replay.replayed())
                        / replay.perSecond()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    void judge() {
        for (DeadLetter.State state : DeadLetter.State.values()) {
            store().deadLetters().list(DeadLetterFilter.all().withState(state), 0, ALL).stream()
                    .map(DeadLetter::entry)
                    .filter(entry -> entry.replay() > 0)
                    .forEach(entry -> arrived.computeIfAbsent(entry.replay(), generation -> new HashSet<>())
                            .add(entry.event().id()));
        }
        expected.forEach((generation, count) -> {
            int found = arrived.getOrDefault(generation, Set.of()).size();
            if (found != count) {
                world.problem("Replay " + generation + " should have brought " + count + " events, but brought " + found
                        + ".");
            }
        });
    }

    private MemoryOutboxStore store() {
        return world.fleet.server.store();
    }
}
