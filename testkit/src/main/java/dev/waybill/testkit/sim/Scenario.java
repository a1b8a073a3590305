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
 * @param burstSize    so many at most
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
        int burstSize,
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
     * @param replays the operator has some of the history replayed, on each visit
     */
    record Refusals(
            double retry,
            double poison,
            double outages,
            double moves,
            boolean crawl,
            double pauses,
            int perSecond,
            double replays) {}

    /**
     * How often something goes wrong with an unknown outcome.
     *
     * @param answers  answers and messages that are lost, late or contradict each other, and sends that throw
     * @param store    calls of the store that fail before or after they took effect, or take effect later
     * @param freezes  calls of store or transport that take longer than a lease
     * @param crashes  calls of store or transport in which the relay dies
     * @param disturb  crashes and pauses between steps, instead of another disturbance
     * @param commits  commits that a writer does not hear of, and writers that die
     * @param restarts a database ends what is open and is out of reach for a while, instead of another disturbance
     * @param failovers a standby that is behind takes over, instead of another disturbance
     * @param skew     the clock of a process is wrong by up to so many seconds
     */
    record Faults(
            double answers,
            double store,
            double freezes,
            double crashes,
            double disturb,
            double commits,
            double restarts,
            double failovers,
            int skew) {
        static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private static final double SOUND = 0.15;

    static Scenario roll(Dice dice, Cut cut) {
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
                shorter(dice.millis(8_000, 22_000), cut),
                Math.min(cut.relays(), dice.between(2, 4)),
                Math.min(cut.writers(), dice.between(2, 5)),
                config,
                retry,
                destinations,
                cut.of(Trouble.UNROUTED, destinations.size() > 1 && dice.chance(0.1)),
                cut.of(Trouble.STRICT, dice.chance(0.3)) ? Set.of("orders") : Set.of(),
                dice.between(1, 4),
                dice.share(0.05, 0.4),
                cut.of(Trouble.DELAYED, dice.chance(0.6) ? dice.share(0, 0.2) : 0),
                cut.of(Trouble.BURSTS, dice.chance(0.3) ? 0.03 : 0),
                dice.chance(0.3) ? 400 : 100,
                cut.of(Trouble.ROLLBACKS, dice.share(0, 0.3)),
                dice.chance(0.5) ? dice.millis(5, 200) : dice.millis(200, 5000),
                cut.of(Trouble.WAKEUPS, dice.chance(0.8) ? dice.share(0.5, 1) : 0),
                new Refusals(
                        cut.of(Trouble.RETRIES, rate(dice, 0.2)),
                        cut.of(Trouble.POISON, rate(dice, 0.05)),
                        cut.of(Trouble.OUTAGES, rate(dice, 0.3)),
                        cut.of(Trouble.MOVES, rate(dice, 0.6)),
                        cut.of(Trouble.CRAWLING, dice.chance(0.15)),
                        cut.of(Trouble.PAUSES, rate(dice, 0.8)),
                        cut.of(Trouble.LIMITS, dice.chance(0.15) ? dice.between(50, 400) : 0),
                        cut.of(Trouble.REPLAYS, dice.chance(0.25) ? dice.share(0, 0.5) : 0)),
                dice.chance(SOUND) ? Faults.NONE : rollFaults(dice, cut));
    }

    private static Duration shorter(Duration activity, Cut cut) {
        return activity.toSeconds() < cut.seconds() ? activity : Duration.ofSeconds(cut.seconds());
    }

    private static Faults rollFaults(Dice dice, Cut cut) {
        return new Faults(
                cut.of(Trouble.ANSWERS, rate(dice, 0.15)),
                cut.of(Trouble.STORE, rate(dice, 0.02)),
                cut.of(Trouble.FREEZES, rate(dice, 0.004)),
                cut.of(Trouble.CRASHES, rate(dice, 0.002)),
                cut.of(Trouble.DISTURBANCES, rate(dice, 1)),
                cut.of(Trouble.COMMITS, rate(dice, 0.1)),
                cut.of(Trouble.RESTARTS, rate(dice, 0.15)),
                cut.of(Trouble.FAILOVERS, dice.chance(0.25) ? dice.share(0, 0.3) : 0),
                cut.of(Trouble.CLOCKS, dice.chance(0.5) ? 3600 : 0));
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

    /** Not with failovers: a standby numbers its replays as the primary did, and consumers cannot tell them apart. */
    double replays() {
        return faults.failovers > 0 ? 0 : refusals.replays;
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
