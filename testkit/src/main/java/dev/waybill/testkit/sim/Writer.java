package dev.waybill.testkit.sim;

import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ShardSet;
import dev.waybill.testkit.check.CheckedTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An application that publishes, one transaction after the other, overlapping with others. Not thread-safe. */
final class Writer {
    private static final int LOCK_TRIES = 40;

    private final World world;
    private final String name;
    private final Delayed delayed;
    private final Duration skew;
    private boolean working = true;
    private int unfinished;

    Writer(World world, String name, Delayed delayed) {
        this.world = world;
        this.name = name;
        this.delayed = delayed;
        int bound = world.scenario.faults().skew();
        skew = Duration.ofSeconds(bound == 0 ? 0 : world.dice.between(-bound, bound));
    }

    void start() {
        world.time.schedule(world.dice.millis(0, 2000), this::begin);
    }

    boolean isWorking() {
        return working || unfinished > 0;
    }

    private void begin() {
        if (world.time.now() >= world.scenario.activity().toNanos()) {
            working = false;
            return;
        }
        if (server().isDown()) {
            rest();
        } else {
            new Work().next();
        }
    }

    private Server server() {
        return world.fleet.server;
    }

    private void rest() {
        Duration pause = world.dice.chance(0.3) ? world.dice.millis(0, 5) : world.dice.millis(5, 2500);
        world.time.schedule(pause, this::begin);
    }

    /** One transaction, spread over virtual time. */
    private final class Work {
        private final String transaction =
                server().changeAll(contents -> contents.begin(this), () -> {}).toString();
        private final Runnable ending = this::broken;
        private final CheckedTransaction checked = world.checker.begin();
        private final List<Event> published = new ArrayList<>();
        private final Set<OrderKey> locked = new HashSet<>();
        private final List<Delayed.Cancel> cancels = new ArrayList<>();
        private int steps = world.dice.between(1, 3);
        private int tries;
        private boolean abandoned;
        private boolean ended;

        Work() {
            server().opened(ending);
        }

        void next() {
            Duration gap = world.dice.upTo(world.scenario.holdsOpen());
            if (steps-- == 0) {
                later(gap, this::end);
            } else {
                later(gap, world.dice.chance(0.1) ? this::cancel : () -> publish(events()));
            }
        }

        private void later(Duration wait, Runnable step) {
            world.time.schedule(wait, () -> {
                if (!ended) {
                    step.run();
                }
            });
        }

        private List<Event> events() {
            boolean burst = world.dice.chance(world.scenario.burst());
            int count = burst ? world.dice.between(20, world.scenario.burstSize()) : world.dice.between(1, 3);
            String onlyKey = burst && world.dice.chance(0.5) ? "k1" : null;
            List<Event> events = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                events.add(event(onlyKey));
            }
            return events;
        }

        private Event event(@Nullable String onlyKey) {
            String destination = world.dice.pick(world.scenario.destinations()).name();
            UUID id = world.dice.uuid();
            Event.Builder event = Event.to(destination)
                    .id(id)
                    .type(typeOf(id))
                    .occurredAt(world.time.instant().plus(skew));
            if (onlyKey != null) {
                event.key(onlyKey);
            } else if (!world.dice.chance(world.scenario.keyless())) {
                event.key("k" + world.dice.between(1, world.scenario.keys()));
            }
            if (world.dice.chance(world.scenario.delayed())) {
                event.availableAt(world.time.instant().plus(world.dice.millis(0, 8000)));
            }
            return event.build();
        }

        /** Whether consumers let it take effect in their database or elsewhere; no dice, so that the world stays the same. */
        private static String typeOf(UUID id) {
            return (id.getLeastSignificantBits() & 3) == 0 ? Handling.ELSEWHERE : Handling.HERE;
        }

        private void publish(List<Event> events) {
            Set<OrderKey> strict = new HashSet<>();
            for (Event event : events) {
                String key = event.key();
                if (key != null && world.scenario.strict().contains(event.destination())) {
                    strict.add(new OrderKey(event.destination(), key));
                }
            }
            // A call that waits for a lock would stop the only thread there is.
            if (strict.stream()
                    .anyMatch(key -> !locked.contains(key) && server().store().isLocked(key))) {
                waitOrGiveUp(() -> publish(events));
                return;
            }
            locked.addAll(strict);
            int mark = checked.savepoint();
            checked.inserting(events);
            if (world.dice.chance(0.07)) {
                world.note(name, transaction + " publishes and takes back " + events.size() + " events");
                server().change(contents -> contents.publishInVain(this, events), () -> {});
                checked.rolledBackTo(mark);
            } else {
                world.note(name, transaction + " publishes " + events.size() + " events");
                server().change(contents -> contents.publish(this, events), () -> {});
                published.addAll(events);
            }
            next();
        }

        private void cancel() {
            Delayed.Cancel cancel = delayed.pick(world.dice);
            if (cancel == null || cancels.contains(cancel)) {
                next();
            } else if (server().store().isLocked(cancel.id())) {
                waitOrGiveUp(this::cancel);
            } else {
                boolean found = server().changeAll(contents -> contents.cancel(this, cancel.id()), () -> {});
                world.note(name, transaction + (found ? " cancels " : " is too late to cancel ") + cancel.id());
                if (found) {
                    cancels.add(cancel);
                }
                next();
            }
        }

        private void waitOrGiveUp(Runnable again) {
            if (++tries > LOCK_TRIES) {
                rollback("waited too long for a lock, ");
            } else {
                later(world.dice.millis(1, 60), again);
            }
        }

        private void end() {
            double faults = world.scenario.faults().commits();
            if (faults > 0 && !world.isHealed() && world.dice.chance(faults)) {
                abandon();
            } else if (world.dice.chance(world.scenario.rollback())) {
                rollback("");
            } else {
                commit();
            }
        }

        /** The writer dies, or loses its connection within a commit: what becomes of that is decided by the database, later. */
        private void abandon() {
            world.tally.count("abandoned transactions");
            abandoned = true;
            unfinished++;
            Duration wait = world.dice.chance(0.5) ? world.dice.micros(0, 2000) : world.dice.millis(2, 4000);
            boolean commits = world.dice.chance(0.5);
            world.note(
                    name, "loses " + transaction + ", which " + (commits ? "commits" : "rolls back") + " in " + wait);
            later(wait, commits ? this::commit : () -> rollback("unnoticed, "));
            rest();
        }

        /** The server has ended, and the transaction with it. */
        private void broken() {
            rollback("the database is gone, ");
        }

        private void ended() {
            ended = true;
            server().closed(ending);
            if (abandoned) {
                unfinished--;
            } else {
                rest();
            }
        }

        /** A standby has not heard of the commit. */
        private void undone() {
            published.forEach(event -> world.checker.uncertain(event.id()));
        }

        private void commit() {
            checked.committing();
            server().change(contents -> contents.commit(this), this::undone);
            checked.committed();
            world.note(name, transaction + " commits " + published.size() + " events");
            world.tally.count("transactions");
            for (Delayed.Cancel cancel : cancels) {
                delayed.cancelled(cancel);
            }
            for (Event event : published) {
                world.promptness.committed(event);
                delayed.add(event);
                if (world.dice.chance(world.scenario.refusals().poison())) {
                    world.poison.put(event.id(), world.dice.between(1, 3));
                }
            }
            if (!abandoned && world.dice.chance(world.scenario.wakeUps())) {
                world.fleet.wakeUp(cancels.isEmpty() ? ShardSet.of(published) : ShardSet.ALL);
            }
            ended();
        }

        private void rollback(String why) {
            server().change(contents -> contents.rollback(this), () -> {});
            checked.rolledBack();
            world.note(name, why + transaction + " rolls back");
            world.tally.count("rollbacks");
            ended();
        }
    }
}
