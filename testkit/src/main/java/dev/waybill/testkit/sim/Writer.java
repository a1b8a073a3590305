package dev.waybill.testkit.sim;

import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ShardSet;
import dev.waybill.store.memory.MemoryTransaction;
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
    private boolean working = true;

    Writer(World world, String name, Delayed delayed) {
        this.world = world;
        this.name = name;
        this.delayed = delayed;
    }

    void start() {
        world.time.schedule(world.dice.millis(0, 2000), this::begin);
    }

    boolean isWorking() {
        return working;
    }

    private void begin() {
        if (world.time.now() >= world.scenario.activity().toNanos()) {
            working = false;
            return;
        }
        new Work().next();
    }

    private void rest() {
        Duration pause = world.dice.chance(0.3) ? world.dice.millis(0, 5) : world.dice.millis(5, 2500);
        world.time.schedule(pause, this::begin);
    }

    /** One transaction, spread over virtual time. */
    private final class Work {
        private final MemoryTransaction transaction = world.store.begin();
        private final CheckedTransaction checked = world.checker.begin();
        private final List<Event> published = new ArrayList<>();
        private final Set<OrderKey> locked = new HashSet<>();
        private final List<Delayed.Cancel> cancels = new ArrayList<>();
        private int steps = world.dice.between(1, 3);
        private int tries;

        void next() {
            Duration gap = world.dice.upTo(world.scenario.holdsOpen());
            if (steps-- == 0) {
                world.time.schedule(gap, this::end);
            } else {
                world.time.schedule(gap, world.dice.chance(0.1) ? this::cancel : () -> publish(events()));
            }
        }

        private List<Event> events() {
            boolean burst = world.dice.chance(world.scenario.burst());
            int count = burst ? world.dice.between(20, 100) : world.dice.between(1, 3);
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
            Event.Builder event = Event.to(destination).id(id).type(typeOf(id)).occurredAt(world.time.instant());
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
            if (strict.stream().anyMatch(key -> !locked.contains(key) && world.store.isLocked(key))) {
                waitOrGiveUp(() -> publish(events));
                return;
            }
            locked.addAll(strict);
            MemoryTransaction.Savepoint savepoint = transaction.savepoint();
            int mark = checked.savepoint();
            checked.inserting(events);
            world.outbox.on(transaction).publishAll(events);
            if (world.dice.chance(0.07)) {
                world.note(name, transaction + " takes back " + events.size() + " events");
                transaction.rollbackTo(savepoint);
                checked.rolledBackTo(mark);
            } else {
                world.note(name, transaction + " publishes " + events.size() + " events");
                published.addAll(events);
            }
            next();
        }

        private void cancel() {
            Delayed.Cancel cancel = delayed.pick(world.dice);
            if (cancel == null || cancels.contains(cancel)) {
                next();
            } else if (world.store.isLocked(cancel.id())) {
                waitOrGiveUp(this::cancel);
            } else {
                boolean found = world.outbox.on(transaction).cancel(cancel.id());
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
                world.time.schedule(world.dice.millis(1, 60), again);
            }
        }

        private void end() {
            if (world.dice.chance(world.scenario.rollback())) {
                rollback("");
            } else {
                commit();
            }
        }

        private void commit() {
            checked.committing();
            transaction.commit();
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
            if (world.dice.chance(world.scenario.wakeUps())) {
                world.fleet.wakeUp(cancels.isEmpty() ? ShardSet.of(published) : ShardSet.ALL);
            }
            rest();
        }

        private void rollback(String why) {
            transaction.rollback();
            checked.rolledBack();
            world.note(name, why + transaction + " rolls back");
            world.tally.count("rollbacks");
            rest();
        }
    }
}
