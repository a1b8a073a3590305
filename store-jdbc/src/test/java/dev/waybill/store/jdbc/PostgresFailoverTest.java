package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * A standby that takes over has the leases of the primary, and the relays' connections are made anew without a word. But it
 * may draw sequences again that the relays have read before: none of those leases may hold there.
 */
class PostgresFailoverTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final UUID OTHER = UUID.randomUUID();
    private static final Duration LONG = Duration.ofMinutes(10);

    private final DataSource database = EmbeddedDatabases.postgres18();
    private final StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults());
    private final JdbcOutboxStore store = rig.store;

    @Test
    void aRelayChangesNothingUnderALeaseOfAnotherServer() {
        rig.publish(StoreRig.events(5));
        List<Entry> before = rig.outbox();
        List<Lease> leases = ofAnotherServer(store.take(RELAY, Shards.COUNT, LONG));

        assertThat(store.settle(RELAY, leases, StoreRig.delivered(before)))
                .containsExactlyInAnyOrderElementsOf(
                        before.stream().map(Entry::shard).distinct().toList());

        assertThat(rig.outbox()).isEqualTo(before);
        assertThat(store.hold(
                        RELAY,
                        leases.get(0),
                        KeyCursor.all(before.get(0).orderKey().orElseThrow()),
                        10))
                .isEmpty();
    }

    @Test
    void aRelayIsToldThatALeaseOfAnotherServerIsNotItsOwn() {
        ofAnotherServer(store.take(RELAY, Shards.COUNT, LONG));
        ScanCursor one = new ScanCursor(0, 0, 0, 10, 1000, Set.of());
        ScanCursor two = new ScanCursor(1, 0, 0, 10, 1000, Set.of());

        assertThat(store.scan(RELAY, List.of(one, two)).pages()).noneMatch(page -> page.owned());
        assertThat(store.peek(RELAY, List.of(one, two)).pages()).noneMatch(page -> page.owned());
        assertThat(store.peek(RELAY, List.of(one)).pages()).noneMatch(page -> page.owned());
        assertThat(store.renew(RELAY, LONG).leases()).isEmpty();
    }

    @Test
    void aLeaseOfAnotherServerIsFreeAtOnce() {
        List<Lease> old = ofAnotherServer(store.take(RELAY, Shards.COUNT, LONG));

        List<Lease> taken = store.take(OTHER, 10, LONG);

        assertThat(taken)
                .hasSize(10)
                .allSatisfy(lease -> assertThat(lease.epoch())
                        .isGreaterThan(old.get(lease.shard()).epoch()));
        assertThat(store.renew(OTHER, LONG).leases()).hasSize(10);
        assertThat(store.retake(RELAY, LONG)).hasSize(Shards.COUNT - 10);
        assertThat(store.renew(RELAY, LONG).leases()).hasSize(Shards.COUNT - 10);
    }

    /** As they would be if the server that gave them had been started at another time. */
    private List<Lease> ofAnotherServer(List<Lease> leases) {
        Sql.execute(database, "UPDATE waybill_lease SET epoch = epoch # 1");
        return leases.stream()
                .map(lease -> new Lease(lease.shard(), lease.epoch() ^ 1, lease.rewind()))
                .sorted((a, b) -> Integer.compare(a.shard(), b.shard()))
                .toList();
    }
}
