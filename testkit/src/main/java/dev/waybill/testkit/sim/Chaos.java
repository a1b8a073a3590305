package dev.waybill.testkit.sim;

import java.time.Duration;

/** What disturbs relays and destinations from outside: outages, relays that come and go, crashes, pauses. */
final class Chaos {
    private final World world;

    Chaos(World world) {
        this.world = world;
    }

    void start() {
        world.time.schedule(world.dice.millis(300, 4000), this::strike);
    }

    private void strike() {
        if (world.isHealed()) {
            return;
        }
        Scenario.Refusals refusals = world.scenario.refusals();
        if (world.dice.chance(refusals.outages())) {
            outage(world.dice.pick(world.scenario.destinations()).name());
        }
        if (world.dice.chance(refusals.moves())) {
            world.fleet.move();
        }
        if (world.dice.chance(world.scenario.faults().disturb())) {
            world.fleet.disturb();
        }
        world.fleet.replaceTheDead(world.scenario.relays());
        start();
    }

    private void outage(String destination) {
        if (!world.down.add(destination)) {
            return;
        }
        Duration time = world.dice.millis(50, 6000);
        world.note("chaos", destination + " is down for " + time);
        world.tally.count("outages");
        world.promptness.down(destination);
        world.time.schedule(time, () -> {
            world.note("chaos", destination + " is up");
            world.down.remove(destination);
        });
    }
}
