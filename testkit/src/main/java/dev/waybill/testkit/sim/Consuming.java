package dev.waybill.testkit.sim;

import dev.waybill.inbox.InboxConfig;
import dev.waybill.relay.RetryPolicy;
import java.time.Duration;
import java.util.List;

/**
 * What the consumers of a world are like. Decided by dice of its own, so that a world without consumers stays what it was
 * before there were any. Rates are probabilities, each zero in many worlds. Immutable.
 *
 * @param databases the names of the consumers that share each database; none in most worlds
 * @param instances how many processes each consumer has
 * @param relays    how many relays work off each siding
 * @param wakeUps   whether what is put aside wakes those relays
 * @param impatient whether the source has put aside what a consumer defers
 * @param corrects  share of dead letters that the operator corrects
 * @param events    what is wrong with events
 * @param faults    what is wrong with the processes that handle them
 */
record Consuming(
        List<List<String>> databases,
        int instances,
        int relays,
        InboxConfig config,
        boolean wakeUps,
        boolean impatient,
        double corrects,
        Events events,
        Faults faults) {

    /**
     * How many events cannot be handled.
     *
     * @param failing   some tries fail
     * @param poison    no try can succeed until the event is corrected or the handler repaired, which happens at the healing
     * @param garbled   the source cannot read them, and rejects them
     * @param incurable like poison, and the handler is never repaired
     */
    record Events(double failing, double poison, double garbled, double incurable) {}

    /**
     * How often something goes wrong when events are handled.
     *
     * @param stays      a handler takes long, up to several leases
     * @param crashes    a process dies at one of the places where that matters
     * @param store      a transaction fails before or after it took effect
     * @param rebalances partitions move, and the one who had it may go on for some events; instead of another disturbance
     * @param breaker    a consumer defers everything for a while; instead of another disturbance
     * @param replays    some of a partition is delivered again as a replay; instead of another disturbance
     */
    record Faults(double stays, double crashes, double store, double rebalances, double breaker, double replays) {}

    private static final double SHARE_OF_WORLDS = 1.0 / 3;

    static Consuming roll(long seed, Cut cut) {
        Dice dice = new Dice(~seed);
        boolean any = cut.of(Trouble.CONSUMERS, dice.chance(SHARE_OF_WORLDS));
        RetryPolicy retry = new RetryPolicy(dice.between(1, 4), dice.millis(5, 200), dice.millis(200, 1000));
        return new Consuming(
                any ? rollDatabases(dice) : List.of(),
                dice.between(1, 2),
                dice.between(1, 2),
                InboxConfig.defaults().withRetry(retry).withLease(dice.millis(300, 3000)),
                dice.chance(0.7),
                dice.chance(0.5),
                dice.chance(0.5) ? 0.3 : 0,
                new Events(rate(dice, 0.2), rate(dice, 0.08), rate(dice, 0.05), dice.chance(0.3) ? 0.01 : 0),
                new Faults(
                        rate(dice, 0.1),
                        rate(dice, 0.02),
                        rate(dice, 0.02),
                        rate(dice, 0.8),
                        rate(dice, 0.3),
                        rate(dice, 0.3)));
    }

    private static List<List<String>> rollDatabases(Dice dice) {
        return dice.chance(0.4)
                ? List.of(List.of("billing", "mailing"))
                : List.of(List.of("billing"), List.of("mailing"));
    }

    private static double rate(Dice dice, double highest) {
        return dice.chance(0.6) ? dice.share(0, highest) : 0;
    }

    /** Longer than a lease, and than the time-out of many a relay. */
    Duration longestStay() {
        return config.lease().multipliedBy(3);
    }
}
