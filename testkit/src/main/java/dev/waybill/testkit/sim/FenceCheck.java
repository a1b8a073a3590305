package dev.waybill.testkit.sim;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.store.Lease;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** Sees to it that a relay whose lease is gone changes nothing. Not thread-safe. */
final class FenceCheck {
    private final World world;
    private final SimRelay relay;

    FenceCheck(World world, SimRelay relay) {
        this.world = world;
        this.relay = relay;
    }

    /**
     * Does something that needs leases.
     *
     * @param refused whether the result says that the shard was left alone
     */
    <T> T watch(
            String what,
            List<Lease> leases,
            List<Integer> shards,
            Supplier<T> action,
            BiPredicate<T, Integer> refused) {
        List<Integer> gone =
                shards.stream().filter(shard -> !holds(leases, shard)).toList();
        List<Object> before = contents(gone);
        world.note(relay.name(), what + (gone.isEmpty() ? "" : " without the leases of " + gone));
        T result = action.get();
        if (!gone.isEmpty()) {
            world.tally.count("zombie calls");
            if (!before.equals(contents(gone))) {
                world.problem(relay.name() + " changed shards " + gone + ", which it does not own: it " + what + ".");
            }
            if (!gone.stream().allMatch(shard -> refused.test(result, shard))) {
                world.problem(relay.name() + " was not told that it does not own " + gone + ".");
            }
        }
        return result;
    }

    private boolean holds(List<Lease> leases, int shard) {
        ShardPage page = look(shard, Long.MAX_VALUE, 1);
        return page.owned()
                && leases.stream()
                        .anyMatch(lease -> lease.shard() == shard
                                && lease.epoch() == page.lease().epoch());
    }

    private List<Object> contents(List<Integer> shards) {
        List<Object> contents = new ArrayList<>();
        if (!shards.isEmpty()) {
            shards.forEach(shard -> contents.add(look(shard, 0, Integer.MAX_VALUE)));
            relay.fleet().server.store().deadLetters().list(DeadLetterFilter.all(), 0, Integer.MAX_VALUE).stream()
                    .filter(letter -> shards.contains(letter.entry().shard()))
                    .forEach(contents::add);
            relay.fleet().server.store().deadLetters().parked(Integer.MAX_VALUE).stream()
                    .filter(parked -> shards.contains(parked.parkedKey().shard()))
                    .forEach(contents::add);
        }
        return contents;
    }

    private ShardPage look(int shard, long position, int limit) {
        ScanCursor cursor = new ScanCursor(shard, position, position, limit, Long.MAX_VALUE, Set.of());
        return relay.fleet()
                .server
                .store()
                .scan(relay.id(), List.of(cursor))
                .pages()
                .get(0);
    }
}
