package dev.waybill.testkit.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The life of one simulated world, decided by its seed alone. Each runs on one thread; several may run in parallel. */
final class Simulation {
    private final long seed;
    private final World world;

    private Simulation(long seed, Cut cut, @Nullable Consumer<String> reader) {
        this.seed = seed;
        world = new World(seed, cut, new Trace(reader));
    }

    static Run run(long seed) {
        return run(seed, Cut.NONE);
    }

    static Run run(long seed, Cut cut) {
        return new Simulation(seed, cut, null).run();
    }

    /** Tells the reader, line by line, who does what at which virtual time. */
    static Run run(long seed, Cut cut, Consumer<String> reader) {
        return new Simulation(seed, cut, reader).run();
    }

    private Run run() {
        world.note("world", "seed " + seed + ": " + world.scenario);
        Delayed delayed = new Delayed(world);
        List<Writer> writers = new ArrayList<>();
        for (int i = 1; i <= world.scenario.writers(); i++) {
            writers.add(new Writer(world, "writer-" + i, delayed));
        }
        Operator operator = new Operator(
                world,
                world.fleet,
                world.scenario.destinations().stream()
                        .map(Scenario.Destination::name)
                        .toList(),
                0,
                letter -> false);
        writers.forEach(Writer::start);
        operator.start();
        new Chaos(world).start();
        for (int i = 0; i < world.scenario.relays(); i++) {
            world.fleet.start();
        }
        // Relays of sidings may be busy with handlers.
        new Vacancies(world, world.fleet).start();
        world.consumers.start();
        world.time.runUntil(world.scenario.activity().toNanos());
        Finale finale = new Finale(world, operator, writers);
        Duration drained = finale.play();
        return new Run(
                seed,
                world.scenario.isSound(),
                finale.verdict(),
                drained,
                world.tally.counts(),
                world.problems,
                world.trace.hash());
    }
}
