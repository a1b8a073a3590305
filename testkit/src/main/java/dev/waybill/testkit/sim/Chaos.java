package dev.waybill.testkit.sim;

import java.time.Duration;

/** What disturbs relays and destinations from outside: outages, relays that come and go, crashes, pauses. */
final class Chaos {
    private final World world;

    Chaos(World world) {
        this.world = world;
    }

    void start() {
        strikeLater();
        choresLater();
    }

    private void strikeLater() {
        world.time.schedule(world.dice.millis(300, 4000), this::strike);
    }

    /** What relays do for their store beside their deliveries. */
    private void doChores() {
        if (!world.fleet.relays.isEmpty()) {
            world.dice.pick(world.fleet.relays).advanceReplays();
        }
        choresLater();
    }

    private void choresLater() {
        if (world.scenario.replays() > 0) {
            world.time.schedule(world.dice.millis(10, 400), this::doChores);
        }
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
        if (world.dice.chance(world.scenario.faults().restarts())) {
            world.fleet.server.restart();
        }
        if (world.dice.chance(world.scenario.faults().failovers())) {
            world.fleet.failOver();
        }
        if (world.dice.chance(world.scenario.faults().disturb())) {
            world.fleet.disturb();
        }
        world.fleet.replaceTheDead(world.scenario.relays());
        strikeLater();
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
