package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.replay.ReplayFilter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The history of PostgreSQL has a partition for each day. */
class PostgresPartitionTest {
    private static final JdbcStoreConfig DAILY = JdbcStoreConfig.defaults();
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    private static final String PARTITIONS =
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'waybill_history'::regclass";

    static Stream<DataSource> databases() {
        return Stream.of(EmbeddedDatabases.postgres18(), EmbeddedDatabases.postgres16());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aWeekAheadIsPreparedAndNothingIsMadeTwice(DataSource database) {
        StoreRig rig = new StoreRig(database, DAILY);
        assertThat(Sql.number(database, PARTITIONS)).isEqualTo(8);

        rig.store.migrate();
        assertThat(rig.store.clean()).isZero();

        assertThat(Sql.number(database, PARTITIONS)).isEqualTo(8);
        assertThat(Sql.number(
                        database,
                        "SELECT count(*) FROM pg_index i JOIN pg_inherits p ON p.inhrelid = i.indrelid"
                                + " WHERE p.inhparent = 'waybill_history'::regclass"))
                .as("each with its primary key and the index of ids")
                .isEqualTo(16);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aMissingPartitionIsMadeWhenADeliveryIsSettledAndNothingIsLost(DataSource database) {
        StoreRig rig = new StoreRig(database, DAILY);
        dropAllPartitions(database);
        rig.publish(StoreRig.events(20));

        rig.settleAll();

        assertThat(rig.count("outbox")).isZero();
        assertThat(rig.count("history")).isEqualTo(20);
        assertThat(Sql.number(database, PARTITIONS)).as("today and tomorrow").isEqualTo(2);
    }

    @Test
    void aDeliveryOfADelayedEventFindsItsPartitionToo() {
        StoreRig rig = new StoreRig(EmbeddedDatabases.postgres18(), DAILY);
        dropAllPartitions(rig.database);
        rig.publish(List.of(Event.to("orders")
                .type("T")
                .availableAt(Instant.now().minusSeconds(60))
                .build()));

        rig.settleAll();

        assertThat(rig.count("history")).isEqualTo(1);
    }

    @Test
    void onlyADayThatIsOverHasNoPartitionAfterMidnight() {
        StoreRig rig = new StoreRig(EmbeddedDatabases.postgres18(), DAILY);
        dropAllPartitions(rig.database);
        attach(rig.database, today.minusDays(1));
        rig.publish(StoreRig.events(5));

        rig.settleAll();

        assertThat(rig.count("history_" + name(today))).isEqualTo(5);
    }

    @Test
    void whatAPersonDetachedIsAttachedAgainWhenItIsNeeded() {
        StoreRig rig = new StoreRig(EmbeddedDatabases.postgres18(), DAILY);
        rig.publish(StoreRig.events(5));
        rig.settleAll();
        Sql.execute(rig.database, "ALTER TABLE waybill_history DETACH PARTITION waybill_history_" + name(today));
        rig.publish(StoreRig.events(3));

        rig.settleAll();

        assertThat(rig.count("history")).isEqualTo(8);
    }

    @Test
    void manyProcessesMayMakeAPartitionAtOnce() throws Exception {
        StoreRig rig = new StoreRig(EmbeddedDatabases.postgres18(), DAILY);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            for (int round = 0; round < 5; round++) {
                dropAllPartitions(rig.database);
                Callable<Integer> clean = rig.store::clean;
                for (Future<Integer> done : threads.invokeAll(
                        IntStream.range(0, 6).mapToObj(i -> clean).toList())) {
                    assertThat(done.get()).isZero();
                }
                assertThat(Sql.number(rig.database, PARTITIONS)).isEqualTo(8);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void wholeDaysAreDroppedWhenTheRetentionHasPassedAndNotBefore(DataSource database) {
        StoreRig rig = new StoreRig(database, DAILY);
        fill(database, today.minusDays(3));
        fill(database, today.minusDays(2));
        fill(database, today.minusDays(1));

        assertThat(rig.store.clean()).isEqualTo(1);
        assertThat(rig.store.clean()).isEqualTo(1);
        assertThat(rig.store.clean()).isZero();

        assertThat(rig.count("history"))
                .as("yesterday may hold what is 24 hours old")
                .isEqualTo(1);
        assertThat(tables(database, today.minusDays(3))).isZero();
        assertThat(tables(database, today.minusDays(2))).isZero();
    }

    @Test
    void aReaderThatHoldsThePartitionDelaysTheDropAndNoSettle() throws SQLException {
        StoreRig rig = new StoreRig(EmbeddedDatabases.postgres18(), DAILY);
        fill(rig.database, today.minusDays(3));
        rig.publish(StoreRig.events(10));
        try (Connection reader = rig.database.getConnection()) {
            reader.setAutoCommit(false);
            Sql.execute(reader, "SELECT count(*) FROM waybill_history");

            long start = System.nanoTime();
            assertThat(rig.store.clean()).as("it does not wait").isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            rig.settleAll();
            assertThat(rig.count("history")).isEqualTo(11);
        }

        assertThat(rig.store.clean()).isEqualTo(1);
        assertThat(rig.count("history")).isEqualTo(10);
    }

    @Test
    void whatACrashLeftDetachedIsDroppedAndWhatAPersonDetachedIsNot() {
        StoreRig rig = new StoreRig(EmbeddedDatabases.postgres18(), DAILY);
        LocalDate crashed = today.minusDays(4);
        LocalDate archived = today.minusDays(5);
        for (LocalDate day : List.of(crashed, archived)) {
            fill(rig.database, day);
            Sql.execute(rig.database, "ALTER TABLE waybill_history DETACH PARTITION waybill_history_" + name(day));
        }
        Sql.execute(
                rig.database,
                "COMMENT ON TABLE waybill_history_" + name(crashed) + " IS 'Detached by Waybill: to be dropped'");

        assertThat(rig.store.clean()).isEqualTo(1);

        assertThat(tables(rig.database, crashed)).isZero();
        assertThat(tables(rig.database, archived)).isEqualTo(1);
    }

    @Test
    void aDayThatAReplayNeedsIsKept() {
        StoreRig rig = new StoreRig(EmbeddedDatabases.postgres18(), DAILY);
        LocalDate day = today.minusDays(3);
        fill(rig.database, day);
        ReplayFilter filter = ReplayFilter.between(start(day), start(day.plusDays(1)));
        int running = rig.store
                .replays()
                .start(UUID.randomUUID(), filter, 1, StoreRig.TESTER)
                .generation();
        rig.store.replays().pause(running, StoreRig.TESTER);

        assertThat(rig.store.clean()).isZero();
        rig.store.replays().cancel(running, StoreRig.TESTER);

        assertThat(rig.store.clean()).isEqualTo(1);
    }

    @Test
    void whoNoLongerKeepsAnythingLosesWhatIsLeft() {
        DataSource database = EmbeddedDatabases.postgres18();
        StoreRig keeping = new StoreRig(database, DAILY);
        fill(database, today.minusDays(1));
        keeping.publish(StoreRig.events(5));
        keeping.settleAll();
        StoreRig forgetting = new StoreRig(database, DAILY.withRetention(Duration.ZERO));

        while (forgetting.store.clean() > 0) {
            // until nothing is left
        }

        assertThat(forgetting.count("history")).isZero();
        assertThat(tables(database, today.minusDays(1))).isZero();
    }

    private static void dropAllPartitions(DataSource database) {
        Sql.execute(database, """
                DO $$
                DECLARE partition regclass;
                BEGIN
                    FOR partition IN
                        SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'waybill_history'::regclass
                    LOOP
                        EXECUTE 'DROP TABLE ' || partition;
                    END LOOP;
                END
                $$
                """);
    }

    private static void attach(DataSource database, LocalDate day) {
        Sql.execute(
                database,
                "CREATE TABLE waybill_history_%s PARTITION OF waybill_history FOR VALUES FROM ('%s 00:00+00') TO ('%s 00:00+00')"
                        .formatted(name(day), day, day.plusDays(1)));
    }

    /** A day with one delivery at its very end. */
    private static void fill(DataSource database, LocalDate day) {
        attach(database, day);
        Sql.execute(database, """
                INSERT INTO waybill_history (seq, shard, id, destination, type, version, content_type, payload,
                    occurred_at, attempts, delivered_at)
                VALUES (1, 0, gen_random_uuid(), 'orders', 'T', 1, 'x', '', now(), 0, '%s 23:59:59.999999+00')
                """.formatted(day));
    }

    private static long tables(DataSource database, LocalDate day) {
        return Sql.number(
                database, "SELECT count(*) FROM pg_class WHERE relname = 'waybill_history_" + name(day) + "'");
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static String name(LocalDate day) {
        return DateTimeFormatter.BASIC_ISO_DATE.format(day);
    }
}
