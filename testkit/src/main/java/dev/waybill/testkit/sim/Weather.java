package dev.waybill.testkit.sim;

import dev.waybill.testkit.transport.Fault;
import dev.waybill.testkit.transport.Fault.Answer;
import dev.waybill.testkit.transport.FaultPlan;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happens to the deliveries of one relay on their way. Not thread-safe. */
final class Weather implements FaultPlan {
    private static final double SLOW = 0.03;

    private final World world;
    private final SimRelay relay;

    Weather(World world, SimRelay relay) {
        this.world = world;
        this.relay = relay;
    }

    @Override
    public Fault next(Delivery delivery) {
        Scenario.Refusals refusals = world.scenario.refusals();
        if (world.isHealed()) {
            return sound(delivery);
        }
        if (world.down.contains(delivery.event().destination())) {
            return refused(delivery, DeliveryResult.unavailable("An outage."));
        }
        if (world.isPoisonous(delivery.event().id())) {
            return refused(delivery, DeliveryResult.rejected("Poison."));
        }
        if (world.dice.chance(refusals.retry())) {
            return refused(
                    delivery,
                    world.dice.chance(0.2)
                            ? DeliveryResult.retryAfter("Busy for a while.", world.dice.millis(1, 800))
                            : DeliveryResult.retry("Busy."));
        }
        return world.dice.chance(world.scenario.faults().answers()) ? unsound(delivery) : sound(delivery);
    }

    private Fault sound(Delivery delivery) {
        boolean crawls = delivery.event().destination().equals(world.scenario.crawlingDestination());
        boolean slow = !world.isHealed() && (crawls || world.dice.chance(SLOW));
        Duration answer = slow ? world.dice.upTo(timeout().dividedBy(2)) : latency();
        return arrives(latency(), new Answer(answer, null));
    }

    private Fault refused(Delivery delivery, DeliveryResult result) {
        note("refuses", delivery, result.getClass().getSimpleName());
        world.tally.count("refusals");
        world.promptness.refused(delivery.event().id());
        return arrives(null, new Answer(latency(), result));
    }

    private Fault unsound(Delivery delivery) {
        world.tally.count("answer faults");
        Answer own = new Answer(latency(), null);
        Answer failure = new Answer(latency(), failure());
        Duration late = timeout().plus(world.dice.upTo(timeout()));
        return switch (world.dice.between(0, 9)) {
            case 0, 1 -> repeatable(delivery, "loses the answer of", arrives(latency()));
            case 2 -> harmless(delivery, "loses", arrives(null));
            case 3 ->
                repeatable(
                        delivery,
                        "delays for long",
                        arrives(world.dice.upTo(timeout().multipliedBy(3))));
            case 4 -> repeatable(delivery, "answers too late", arrives(latency(), new Answer(late, null)));
            case 5 -> harmless(delivery, "answers twice", arrives(latency(), own, new Answer(later(), null)));
            case 6 -> denied(delivery, latency(), own, new Answer(later(), failure()));
            case 7 ->
                repeatable(
                        delivery,
                        "delivers, denies, then admits,",
                        arrives(latency(), failure, new Answer(later(), null)));
            case 8 -> repeatable(delivery, "delivers, but denies,", arrives(latency(), failure));
            default -> thrown(delivery);
        };
    }

    /** Both answers may come in the order in which they are true, or in the other one. */
    private Fault denied(Delivery delivery, Duration latency, Answer own, Answer lie) {
        Fault fault = arrives(latency, own, lie);
        return lie.after().compareTo(latency.plus(own.after())) > 0
                ? harmless(delivery, "answers, then denies,", fault)
                : repeatable(delivery, "denies, then answers,", fault);
    }

    private Fault harmless(Delivery delivery, String what, Fault fault) {
        note(what, delivery, "");
        return fault;
    }

    private Fault thrown(Delivery delivery) {
        note("throws at", delivery, "");
        relay.mayRepeatAll();
        return Fault.thrown();
    }

    private Fault repeatable(Delivery delivery, String what, Fault fault) {
        note(what, delivery, "");
        world.fleet.allowDuplicates(1);
        return fault;
    }

    private DeliveryResult failure() {
        return world.dice.chance(0.5) ? DeliveryResult.retry("A lie.") : DeliveryResult.unavailable("A lie.");
    }

    private Duration latency() {
        return world.dice.micros(100, 4000);
    }

    /** Before or after the relay's time-out. */
    private Duration later() {
        return latency().plus(world.dice.upTo(timeout().multipliedBy(2)));
    }

    private Duration timeout() {
        return world.scenario.config().deliveryTimeout();
    }

    private void note(String what, Delivery delivery, String more) {
        world.note("network", what + " " + World.describe(delivery) + " of " + relay.name() + " " + more);
    }

    private Fault arrives(@Nullable Duration after, Answer... answers) {
        world.expectUntil(after == null ? Duration.ZERO : after);
        // Without an answer the relay waits until its time-out, also for an entry that was cancelled meanwhile.
        world.expectUntil(answers.length == 0 ? timeout() : Duration.ZERO);
        for (Answer answer : answers) {
            world.expectUntil(answer.after().plusMillis(10));
        }
        return new Fault(Duration.ZERO, false, after, List.of(answers));
    }
}
