package dev.waybill.store.jdbc;

import static dev.waybill.store.jdbc.StoreRig.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.replay.Replay;
import dev.waybill.replay.Replay.State;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.Entry;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A replay neither skips nor repeats a delivery, whatever happens at the same time. */
class ReplayRaceTest {
    private static final int FAST = 1_000_000;
    private static final Duration MARGIN = Duration.ofMillis(1_500);

    static Stream<DataSource> databases() {
        return Stream.of(EmbeddedDatabases.postgres18(), EmbeddedDatabases.mariadb(), H2Databases.inMemory());
    }

    /** A store whose settles take half a second at most, so that replays wait for a second and a half. */
    private static StoreRig quick(DataSource database) {
        return new StoreRig(database, JdbcStoreConfig.defaults().withStatementTimeout(Duration.ofMillis(500)));
    }

    private static StoreRig unhurried(DataSource database) {
        return new StoreRig(
                database, JdbcOutboxStore.create(database, JdbcStoreConfig.defaults(), Duration.ofMillis(1)));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void deliveriesThatAnotherSettleCouldStillComeBeforeAreNotReplayedYet(DataSource database) {
        StoreRig rig = new StoreRig(database, JdbcStoreConfig.defaults().withStatementTimeout(Duration.ofMinutes(10)));
        rig.publish(StoreRig.events(10));
        rig.settleAll();

        int generation = start(rig, FAST);

        assertThat(advance(rig, 5)).isZero();
        Replay replay = find(rig, generation);
        assertThat(replay.state()).isEqualTo(State.RUNNING);
        assertThat(replay.position() == null || replay.position().isBefore(replay.startedAt()))
                .isTrue();
    }

    /** A commit can hang for longer than any statement may: behind a slow disk or a standby that does not answer. */
    @Test
    void whatASettleWritesThatCommitsMuchLaterIsNotSkipped() throws SQLException {
        StoreRig rig = quick(EmbeddedDatabases.postgres18());
        List<Event> events = StoreRig.events(30);
        rig.publish(events.subList(0, 10));
        rig.settleAll();
        rig.publish(events.subList(10, 20));
        try (Connection slow = rig.database.getConnection()) {
            slow.setAutoCommit(false);
            Sql.execute(slow, """
                    WITH gone AS (DELETE FROM waybill_outbox RETURNING *)
                    INSERT INTO waybill_history (%1$s, delivered_at) SELECT %1$s, statement_timestamp() FROM gone
                    """.formatted(EntryRows.COLUMNS));
            rig.publish(events.subList(20, 30));
            rig.settle(StoreRig.delivered(rig.outbox().stream()
                    .filter(entry -> StoreRig.idsOf(events.subList(20, 30))
                            .contains(entry.event().id()))
                    .toList()));
            int generation = start(rig, FAST);
            passMargin(rig);

            assertThat(advance(rig, 5)).isEqualTo(10);
            assertThat(find(rig, generation).state()).isEqualTo(State.RUNNING);
            slow.commit();
            finish(rig, generation);
        }
        assertThat(StoreRig.ids(rig.outbox())).isEqualTo(StoreRig.idsOf(events));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aStepThatFailsInTheMiddleHasNotHappened(DataSource database) {
        StoreRig rig = unhurried(database);
        List<Event> events = StoreRig.events(50);
        rig.publish(events);
        rig.settleAll();
        int generation = start(rig, FAST);
        Sql.execute(database, "ALTER TABLE waybill_replay ADD CONSTRAINT broken CHECK (replayed < 5)");

        Awaitility.await()
                .untilAsserted(() -> assertThatThrownBy(rig.store::advanceReplays)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("carry on replay " + generation));
        assertThat(rig.outbox()).isEmpty();
        assertThat(find(rig, generation).replayed()).isZero();
        Sql.execute(database, "ALTER TABLE waybill_replay DROP CONSTRAINT broken");
        finish(rig, generation);

        assertThat(StoreRig.ids(rig.outbox())).isEqualTo(StoreRig.idsOf(events));
        assertThat(find(rig, generation).replayed()).isEqualTo(50);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void copiesOfManyStepsAreInTheOrderOfDelivery(DataSource database) {
        StoreRig rig = unhurried(database);
        List<Event> events = StoreRig.events(7_500);
        rig.publish(events);
        List<Entry> pending = rig.outbox();
        List<UUID> delivered = new ArrayList<>();
        for (int from : List.of(5_000, 2_500, 0)) {
            List<Entry> part = pending.subList(from, from + 2_500);
            rig.settle(StoreRig.delivered(part));
            delivered.addAll(StoreRig.ids(part));
        }
        int generation = start(rig, FAST);
        finish(rig, generation);

        List<Entry> copies = rig.outbox();
        assertThat(StoreRig.ids(copies)).isEqualTo(delivered);
        assertThat(copies).allMatch(copy -> copy.replay() == generation);
    }

    @Test
    void aFilterThatFitsLittleReadsABoundedPartInEachStep() {
        StoreRig rig = unhurried(EmbeddedDatabases.postgres18());
        Sql.execute(rig.database, """
                INSERT INTO waybill_history (seq, shard, id, destination, type, version, content_type, payload,
                    occurred_at, attempts, delivered_at)
                SELECT g, 0, gen_random_uuid(), CASE WHEN g = 45000 THEN 'rare' ELSE 'orders' END, 'T', 1, 'x', '', now(),
                    0, now() - interval '1 minute' + g * interval '1 microsecond'
                FROM generate_series(1, 45000) g
                """);
        ReplayFilter filter = ReplayFilter.between(
                        Instant.now().minus(Duration.ofHours(1)), Instant.now().minusSeconds(1))
                .withDestination("rare");
        int generation = rig.store
                .replays()
                .start(UUID.randomUUID(), filter, FAST, TESTER)
                .generation();
        List<Integer> copied = new ArrayList<>();
        List<Instant> positions = new ArrayList<>();
        while (find(rig, generation).state() == State.RUNNING) {
            copied.add(rig.store.advanceReplays());
            Instant position = find(rig, generation).position();
            if (position != null && !positions.contains(position)) {
                positions.add(position);
            }
        }

        assertThat(copied.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
        assertThat(positions)
                .as("20,000 rows, 20,000 rows, the rest")
                .hasSize(3)
                .isSorted();
    }

    private static int start(StoreRig rig, int perSecond) {
        ReplayFilter filter = ReplayFilter.between(
                Instant.now().minus(Duration.ofHours(1)), Instant.now().plusSeconds(3600));
        return rig.store
                .replays()
                .start(UUID.randomUUID(), filter, perSecond, TESTER)
                .generation();
    }

    private static int advance(StoreRig rig, int times) {
        int copied = 0;
        for (int i = 0; i < times; i++) {
            copied += rig.store.advanceReplays();
        }
        return copied;
    }

    private static void finish(StoreRig rig, int generation) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            rig.store.advanceReplays();
            return find(rig, generation).state() == State.DONE;
        });
    }

    private static void passMargin(StoreRig rig) {
        long until = epochMillis(rig) + MARGIN.toMillis() + 500;
        Awaitility.await().until(() -> epochMillis(rig) > until);
    }

    private static long epochMillis(StoreRig rig) {
        return Sql.number(rig.database, "SELECT CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS bigint)");
    }

    private static Replay find(StoreRig rig, int generation) {
        return rig.store.replays().find(generation).orElseThrow();
    }
}
