package dev.waybill.testkit.sim;

import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.store.DeadLetterPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What kind of world a seed stands for. Rates are probabilities, each zero in many worlds: faults of few kinds at a time
 * reach states that a mixture of all hides. Immutable.
 *
 * @param activity     how long writers write and faults strike
 * @param destinations where events go
 * @param unrouted     whether the last destination has no route, or a paused one, until the world is healed
 * @param strict       destinations with strict keys
 * @param keys         how many keys each destination has
 * @param keyless      share of events without a key
 * @param delayed      share of events that are due later
 * @param burst        share of transactions with a great many events
 * @param rollback     share of transactions that are rolled back
 * @param holdsOpen    longest time that a transaction stays open
 * @param wakeUps      share of commits that wake the relays
 * @param refusals     what a sound destination does
 * @param faults       what is unsound; none in some worlds, and then nothing may arrive twice
 */
record Scenario(
        Duration activity,
        int relays,
        int writers,
        RelayConfig config,
        RetryPolicy retry,
        List<Destination> destinations,
        boolean unrouted,
        Set<String> strict,
        int keys,
        double keyless,
        double delayed,
        double burst,
        double rollback,
        Duration holdsOpen,
        double wakeUps,
        Refusals refusals,
        Faults faults) {

    /** A destination, what its dead letters mean, and which one goes before others. */
    record Destination(String name, DeadLetterPolicy policy, int priority) {}

    /**
     * How often something definite goes wrong: these cause no duplicates.
     *
     * @param retry   a delivery fails
     * @param poison  an event is rejected, several times
     * @param outages a destination is down for a while, instead of another disturbance
     * @param moves   a relay joins or leaves gracefully, instead of another disturbance
     * @param crawl   the first destination takes its time with every answer
     * @param pauses  the operator pauses a destination or a key, on each visit
     * @param perSecond the first destination takes no more than so many from all relays together; 0: any number
     */
    record Refusals(
            double retry, double poison, double outages, double moves, boolean crawl, double pauses, int perSecond) {}

    /**
     * How often something goes wrong with an unknown outcome.
     *
     * @param answers  answers and messages that are lost, late or contradict each other, and sends that throw
     * @param store    calls of the store that fail before or after they took effect, or take effect later
     * @param freezes  calls of store or transport that take longer than a lease
     * @param crashes  calls of store or transport in which the relay dies
     * @param disturb  crashes and pauses between steps, instead of another disturbance
     */
    record Faults(double answers, double store, double freezes, double crashes, double disturb) {
        static final Faults NONE = new Faults(0, 0, 0, 0, 0);
    }

    private static final double SOUND = 0.15;

    static Scenario roll(Dice dice) {
        Duration poll = dice.millis(300, 1000);
        Duration lease = Duration.ofSeconds(dice.between(3, 10));
        RelayConfig config = RelayConfig.defaults()
                .withLease(lease)
                .withPollInterval(poll)
                .withBatchSize(dice.chance(0.3) ? dice.between(1, 4) : dice.between(5, 60))
                .withWindow(dice.chance(0.5) ? 16 : dice.between(17, 100))
                .withDeliveryTimeout(dice.millis(1500, 12_000))
                .withSettleDelay(Duration.ofMillis(Math.max(0, poll.toMillis() % 60 - 20)))
                // Mostly beyond the end of the world: the safety net must not hide what slips through.
                .withRescanInterval(dice.chance(0.2) ? Duration.ofSeconds(8) : Duration.ofMinutes(30));
        RetryPolicy retry = new RetryPolicy(dice.between(1, 5), dice.millis(10, 300), dice.millis(300, 2000));
        List<Destination> all = List.of(
                new Destination("orders", DeadLetterPolicy.PARK, priority(dice)),
                new Destination("audit", DeadLetterPolicy.SKIP, priority(dice)),
                new Destination("parcels", DeadLetterPolicy.PARK, priority(dice)));
        List<Destination> destinations = all.subList(0, dice.between(1, 3));
        return new Scenario(
                dice.millis(8_000, 22_000),
                dice.between(2, 4),
                dice.between(2, 5),
                config,
                retry,
                destinations,
                destinations.size() > 1 && dice.chance(0.1),
                dice.chance(0.3) ? Set.of("orders") : Set.of(),
                dice.between(1, 4),
                dice.share(0.05, 0.4),
                dice.chance(0.6) ? dice.share(0, 0.2) : 0,
                dice.chance(0.2) ? 0.03 : 0,
                dice.share(0, 0.3),
                dice.chance(0.5) ? dice.millis(5, 200) : dice.millis(200, 5000),
                dice.chance(0.8) ? dice.share(0.5, 1) : 0,
                new Refusals(
                        rate(dice, 0.2),
                        rate(dice, 0.05),
                        rate(dice, 0.3),
                        rate(dice, 0.6),
                        dice.chance(0.15),
                        rate(dice, 0.8),
                        dice.chance(0.15) ? dice.between(50, 400) : 0),
                dice.chance(SOUND) ? Faults.NONE : rollFaults(dice));
    }

    private static Faults rollFaults(Dice dice) {
        return new Faults(rate(dice, 0.15), rate(dice, 0.02), rate(dice, 0.004), rate(dice, 0.002), rate(dice, 1));
    }

    private static int priority(Dice dice) {
        return dice.chance(0.5) ? dice.between(-1, 1) : 0;
    }

    private static double rate(Dice dice, double highest) {
        return dice.chance(0.5) ? dice.share(0, highest) : 0;
    }

    boolean isSound() {
        return faults.equals(Faults.NONE);
    }

    /** The destination that is slow, or none. */
    String crawlingDestination() {
        return refusals.crawl ? destinations.get(0).name() : "";
    }

    /** The destination that has a rate limit, or none. */
    String limitedDestination() {
        return refusals.perSecond > 0 ? destinations.get(0).name() : "";
    }

    String unroutedDestination() {
        return unrouted ? destinations.get(destinations.size() - 1).name() : "";
    }
}
