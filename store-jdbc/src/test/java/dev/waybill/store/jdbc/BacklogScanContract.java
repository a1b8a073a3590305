package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backlog is read by range, all shards together: nothing is missed, nothing comes twice, and no page ends too late. */
abstract class BacklogScanContract {
    static final UUID RELAY = UUID.randomUUID();
    static final int EVENTS = 5_000;
    private static final int LIMIT = 15;
    private static final long SHARE = 1_000;

    final DataSource database;
    final JdbcOutboxStore store;

    BacklogScanContract(DataSource database) {
        this.database = database;
        store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
    }

    @BeforeEach
    void migrate() {
        store.migrate();
    }

    @Test
    void everyEntryComesOnceAndInOrder() throws SQLException {
        publish(EVENTS, 10);

        assertThat(readAll(EVENTS)).containsExactlyElementsOf(sequences());
    }

    @Test
    void aRangeIsReadInOneStatementAndEndsForAllShardsAtTheSamePlace() throws SQLException {
        publish(EVENTS, 10);

        Scan scan = store.scan(RELAY, cursors(0, EVENTS));

        assertThat(scan.pages().stream().map(ShardPage::position).distinct()).hasSize(1);
        long end = scan.pages().get(0).position();
        assertThat(end).isBetween(200L, 2_000L);
        assertThat(scan.pages().stream().mapToInt(page -> page.entries().size()).sum())
                .isEqualTo((int) end);
    }

    @Test
    void noPageEndsBeyondWhatIsDecided() throws SQLException {
        publish(EVENTS, 10);

        Scan scan = store.scan(RELAY, cursors(0, 1_100));

        assertThat(scan.pages()).allMatch(page -> page.position() <= 1_100);
        assertThat(readAll(1_100)).containsExactlyElementsOf(sequences());
    }

    @Test
    void gapsOfAnyLengthAreReadOver() throws SQLException {
        publish(EVENTS, 10);
        Sql.execute(database, "DELETE FROM waybill_outbox WHERE seq BETWEEN 700 AND 3900 OR seq % 3 = 0");

        assertThat(readAll(EVENTS)).containsExactlyElementsOf(sequences());
    }

    @Test
    void shardsThatAreBehindCatchUpWithTheOthers() throws SQLException {
        publish(EVENTS, 10);
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> cursor(shard, shard < 4 ? 0 : 3_000, EVENTS))
                .toList();

        Scan scan = store.peek(RELAY, cursors);

        assertThat(scan.pages())
                .allMatch(page -> page.lease().shard() < 4
                        ? page.position() > 0 && page.position() < 3_000
                        : page.position() == 3_000 && page.entries().isEmpty());
        assertThat(scan.pages().stream().map(ShardPage::position).distinct()).hasSize(2);
    }

    @Test
    void destinationsThatAreReadSeparatelyAreLeftOutOfTheRange() throws SQLException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            events.add(event(i % 10 == 0 ? "down" : "orders", "k-" + i % 1_000, 10));
        }
        publish(events);
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, LIMIT, LIMIT * SHARE, Set.of("down"), EVENTS))
                .toList();

        Scan scan = store.peek(RELAY, cursors);

        assertThat(scan.pages().stream().map(ShardPage::position).distinct())
                .as("by range")
                .hasSize(1);
        long end = scan.pages().get(0).position();
        assertThat(scan.pages().stream().flatMap(page -> page.entries().stream()))
                .hasSize((int) (end - (end + 9) / 10))
                .allMatch(entry -> entry.destination().equals("orders"));
    }

    @Test
    void aRangeWithNothingButWhatIsReadSeparatelyIsNotReadToItsEnd() throws SQLException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 2 * EVENTS; i++) {
            events.add(event(i < 2 * EVENTS - 10 ? "down" : "orders", "k-" + i % 1_000, 10));
        }
        publish(events);
        long[] positions = new long[Shards.COUNT];
        List<Entry> found = new ArrayList<>();
        int scans = 0;
        while (found.size() < 10) {
            List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                    .mapToObj(shard -> new ScanCursor(
                            shard,
                            positions[shard],
                            positions[shard],
                            LIMIT,
                            LIMIT * SHARE,
                            Set.of("down"),
                            2 * EVENTS + 2_000))
                    .toList();
            for (ShardPage page : store.peek(RELAY, cursors).pages()) {
                found.addAll(page.entries());
                positions[page.lease().shard()] = page.position();
            }
            assertThat(++scans).as("it gets on").isLessThan(100);
        }

        assertThat(scans).as("each reads a small multiple of its limit").isGreaterThan(1);
        assertThat(found).hasSize(10).allMatch(entry -> entry.destination().equals("orders"));
    }

    @Test
    void oneKeyWithMostOfTheEntriesHidesNoOther() throws SQLException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            events.add(event(i % 10 == 0 ? "k-" + i : "hot", 10));
        }
        publish(events);

        assertThat(readAll(EVENTS)).containsExactlyElementsOf(sequences());
    }

    @Test
    void payloadsBeyondTheirShareAreReadOneByOne() throws SQLException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            events.add(event("k-" + i % 1_000, i % 97 == 0 ? 40_000 : 10));
        }
        publish(events);

        assertThat(readAll(EVENTS)).containsExactlyElementsOf(sequences());
    }

    @Test
    void lanesBringEveryEntryOfTheirDestinationOnceAndInOrder() throws SQLException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            // Some stretches have nothing for it, some nothing else, and some payloads are beyond their share.
            boolean down = i < 1_500 || (i > 3_500 && i % 10 == 0);
            events.add(event(down ? "down" : "orders", "k-" + i % 1_000, i % 97 == 0 ? 40_000 : 10));
        }
        publish(events);
        Sql.execute(database, "DELETE FROM waybill_outbox WHERE seq BETWEEN 400 AND 700");

        assertThat(readLanes("down")).containsExactlyElementsOf(sequences("down"));
        assertThat(readLanes("orders")).containsExactlyElementsOf(sequences("orders"));
        assertThat(readLanes("nowhere")).isEmpty();
    }

    private List<Long> readLanes(String destination) {
        List<Long> found = new ArrayList<>();
        List<LaneCursor> lanes = lanes(destination);
        while (!lanes.isEmpty()) {
            List<LaneCursor> next = new ArrayList<>();
            for (LanePage page : store.readLanes(lanes)) {
                LaneCursor lane = page.cursor();
                List<Long> sequences =
                        page.entries().stream().map(Entry::sequence).toList();
                assertThat(sequences)
                        .isSorted()
                        .allMatch(sequence -> sequence > lane.position() && sequence <= page.position());
                assertThat(page.entries())
                        .allMatch(entry -> entry.shard() == lane.shard()
                                && entry.destination().equals(destination));
                found.addAll(sequences);
                if (page.more()) {
                    next.add(new LaneCursor(lane.shard(), destination, page.position(), LIMIT, LIMIT * SHARE));
                }
            }
            assertThat(next).isNotEqualTo(lanes);
            lanes = next;
        }
        return found.stream().sorted().toList();
    }

    static List<LaneCursor> lanes(String destination) {
        return IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new LaneCursor(shard, destination, 0, LIMIT, LIMIT * SHARE))
                .toList();
    }

    /** Reads page by page until nothing is left, as a relay does. */
    private List<Long> readAll(long decided) {
        long[] positions = new long[Shards.COUNT];
        List<Long> found = new ArrayList<>();
        boolean more = true;
        while (more) {
            more = false;
            List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                    .mapToObj(shard -> cursor(shard, positions[shard], decided))
                    .toList();
            for (ShardPage page : store.scan(RELAY, cursors).pages()) {
                int shard = page.lease().shard();
                List<Long> sequences =
                        page.entries().stream().map(Entry::sequence).toList();
                assertThat(sequences).isSorted().allMatch(sequence -> sequence > positions[shard]);
                assertThat(page.entries()).allMatch(entry -> entry.shard() == shard);
                assertThat(page.more() || page.entries().isEmpty() || page.position() >= positions[shard])
                        .isTrue();
                found.addAll(sequences);
                more |= page.more()
                        && (page.position() > positions[shard]
                                || !page.entries().isEmpty());
                positions[shard] = page.position();
            }
        }
        return found.stream().sorted().toList();
    }

    private List<Long> sequences() {
        return sequences("%");
    }

    private List<Long> sequences(String destination) {
        List<Long> all = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT seq FROM waybill_outbox WHERE destination LIKE ? ORDER BY seq")) {
            statement.setString(1, destination);
            ResultSet rows = statement.executeQuery();
            while (rows.next()) {
                all.add(rows.getLong(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return all;
    }

    static List<ScanCursor> cursors(long position, long decided) {
        return IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> cursor(shard, position, decided))
                .toList();
    }

    private static ScanCursor cursor(int shard, long position, long decided) {
        return new ScanCursor(shard, position, position, LIMIT, LIMIT * SHARE, Set.of(), decided);
    }

    void publish(int events, int payloadBytes) throws SQLException {
        publish(LongStream.range(0, events)
                .mapToObj(i -> event("k-" + i % 1_000, payloadBytes))
                .toList());
    }

    private static Event event(String key, int payloadBytes) {
        return event("orders", key, payloadBytes);
    }

    private static Event event(String destination, String key, int payloadBytes) {
        return Event.to(destination)
                .key(key)
                .type("order.placed")
                .payload(new byte[payloadBytes])
                .build();
    }

    private void publish(List<Event> events) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            store.append(connection, events, Set.of());
            connection.commit();
        }
    }
}
