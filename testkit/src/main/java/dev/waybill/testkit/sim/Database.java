package dev.waybill.testkit.sim;

import dev.waybill.relay.Routes;
import dev.waybill.store.Entry;
import dev.waybill.store.memory.MemoryStoreSettings;
import java.time.Duration;
import java.util.List;

/** The database of one or more consumers, the relays that work off their sidings, and who looks after it. Not thread-safe. */
final class Database {
    final Fleet relays;
    final Operator operator;

    private final List<Group> groups;

    Database(World world, Consuming consuming, List<String> consumers, SourceLog log) {
        MemoryStoreSettings settings = MemoryStoreSettings.defaults().withRetention(Duration.ZERO);
        Server server = new Server(world, consumers.get(0) + "-database", settings, false);
        relays = new Fleet(world, consumers.get(0) + "-siding", server, this::routes, this::excuse);
        groups = consumers.stream()
                .map(name -> new Group(world, consuming, name, log, this))
                .toList();
        operator = new Operator(
                world,
                relays,
                consumers,
                consuming.corrects(),
                letter -> groupOf(letter.entry()).handling.isHopeless(letter.entry()));
    }

    List<Group> groups() {
        return groups;
    }

    void start(int number) {
        for (int i = 0; i < number; i++) {
            relays.start();
        }
        operator.start();
    }

    private Routes routes(SimRelay relay) {
        Routes.Builder routes = Routes.builder();
        groups.forEach(group -> routes.route(group.name, group.siding(relay)));
        return routes.build();
    }

    private void excuse(Entry entry) {
        groupOf(entry).ledger.excused(entry);
    }

    private Group groupOf(Entry entry) {
        return groups.stream()
                .filter(group -> group.name.equals(entry.destination()))
                .findFirst()
                .orElseThrow();
    }

    /** Whether nothing waits but behind the dead letters that nobody can help. */
    boolean isEmpty() {
        return relays.outboxIsEmpty() && operator.isDone();
    }
}
