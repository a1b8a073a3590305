package dev.waybill.testkit.sim;

import dev.waybill.relay.Route;
import dev.waybill.relay.Routes;
import dev.waybill.store.OrderKey;
import dev.waybill.store.memory.MemoryStoreSettings;
import dev.waybill.testkit.check.OrderChecker;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** What all actors of a simulation share. Not thread-safe: a world has one thread. */
final class World {
    private static final int MAX_PROBLEMS = 20;
    /** Dice of their own: a world without them is the same as ever. */
    private static final long CONVOYS = 0x636f6e766f7973L;

    final Dice dice;
    final Scenario scenario;
    final FullDisk disk;
    final Trace trace;
    final VirtualTime time = new VirtualTime();
    final Tally tally = new Tally();
    final OrderChecker checker;
    final Promptness promptness;
    final HistoryReplays replays = new HistoryReplays(this);
    final Fleet fleet;
    final Consumers consumers;
    /** Whether the network keeps the order of what is sent together. */
    final boolean keepsOrder;
    /** Destinations that are down. */
    final Set<String> down = new TreeSet<>();
    /** How many more times an event will be rejected. */
    final Map<UUID, Integer> poison = new HashMap<>();

    final List<String> problems = new ArrayList<>();
    private boolean healed;
    private long quietFrom;

    World(long seed, Cut cut, Trace trace) {
        this.trace = trace;
        dice = new Dice(seed);
        scenario = Scenario.roll(dice, cut);
        disk = FullDisk.roll(seed, cut);
        keepsOrder = cut.of(Trouble.CONVOYS, new Dice(seed ^ CONVOYS).chance(0.3));
        checker = new OrderChecker(this::isStrict);
        promptness = new Promptness(this);
        fleet = new Fleet(
                this,
                "relay",
                new Server(this, "database", settings(), scenario.faults().failovers() > 0),
                this::routes,
                entry -> checker.excused(entry.event().id()));
        consumers = new Consumers(this, Consuming.roll(seed, cut));
    }

    /** History costs time, and is of no use without replays. */
    private MemoryStoreSettings settings() {
        return MemoryStoreSettings.defaults()
                .withRetention(scenario.replays() > 0 ? Duration.ofHours(1) : Duration.ZERO);
    }

    private Routes routes(SimRelay relay) {
        Routes.Builder routes = Routes.builder();
        SimTransport transport = new SimTransport(this, relay);
        for (Scenario.Destination destination : scenario.destinations()) {
            boolean open = healed || !destination.name().equals(scenario.unroutedDestination());
            boolean limited = destination.name().equals(scenario.limitedDestination());
            if (open || dice.chance(0.5)) {
                routes.route(
                        destination.name(),
                        Route.to(transport)
                                .withRetry(scenario.retry())
                                .withDeadLetters(destination.policy())
                                .withMaxPerSecond(limited ? scenario.refusals().perSecond() : 0)
                                .withPriority(destination.priority())
                                .withPaused(!open));
            }
        }
        return routes.build();
    }

    /** All relays, by store. */
    List<Fleet> fleets() {
        List<Fleet> fleets = new ArrayList<>(consumers.sidings());
        fleets.add(fleet);
        return fleets;
    }

    boolean isStrict(OrderKey key) {
        return scenario.strict().contains(key.destination());
    }

    boolean isHealed() {
        return healed;
    }

    /** From now on nothing goes wrong any more. */
    void heal() {
        note("world", "healed");
        healed = true;
        down.clear();
        poison.clear();
        fleets().forEach(all -> all.server.heal());
        consumers.heal();
    }

    void note(String actor, String action) {
        trace.add(time.now(), actor, action);
    }

    void problem(String text) {
        note("PROBLEM", text);
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(text);
        }
    }

    /** Something belated will happen after this time: the world does not end before. */
    void expectUntil(Duration delay) {
        quietFrom = Math.max(quietFrom, time.now() + delay.toNanos());
    }

    long quietFrom() {
        return quietFrom;
    }

    /** Whether the event is to be rejected once more. */
    boolean isPoisonous(UUID id) {
        int left = poison.getOrDefault(id, 0);
        if (left > 0) {
            poison.put(id, left - 1);
        }
        return left > 0;
    }

    /** The other end: events arrive here, and go on to consumers if there are any. */
    void arrived(Delivery delivery) {
        UUID id = delivery.event().id();
        note("consumer", "got " + describe(delivery) + ", attempt " + delivery.attempt() + ", " + id);
        Instant availableAt = delivery.event().availableAt();
        if (availableAt != null && time.instant().isBefore(availableAt)) {
            problem("Event " + id + " arrived at " + time.instant() + ", before it was due at " + availableAt + ".");
        }
        tally.count("arrivals");
        if (delivery.replay() > 0) {
            replays.arrived(delivery);
        } else {
            promptness.arrived(delivery.event());
            checker.delivered(id);
        }
        consumers.arrived(delivery);
    }

    static String describe(Delivery delivery) {
        String key = delivery.event().key();
        return "#" + delivery.sequence() + " " + delivery.event().destination() + (key == null ? "" : "/" + key);
    }
}
