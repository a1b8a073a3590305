package dev.waybill.testkit.sim;

import java.time.Duration;
import java.util.List;

/** What disturbs relays and destinations from outside: outages, relays that come and go, crashes, pauses. */
final class Chaos {
    private static final int MOST_RELAYS = 5;

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
            move();
        }
        if (world.dice.chance(world.scenario.faults().disturb()) && !world.relays.isEmpty()) {
            SimRelay relay = world.dice.pick(world.relays);
            if (world.dice.chance(0.4)) {
                relay.crash("between two steps");
            } else {
                relay.pause(world.dice.upTo(world.scenario.config().lease().multipliedBy(3)));
            }
        }
        replaceTheDead();
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

    private void move() {
        List<SimRelay> staying =
                world.relays.stream().filter(relay -> !relay.isLeaving()).toList();
        if (staying.size() > 1 && world.dice.chance(0.5)) {
            world.tally.count("graceful stops");
            world.dice.pick(staying).leave();
        } else if (world.relays.size() < MOST_RELAYS) {
            world.startRelay();
        }
    }

    private void replaceTheDead() {
        if (world.relays.size() < world.scenario.relays() && world.dice.chance(0.6)) {
            world.startRelay();
        }
    }
}
