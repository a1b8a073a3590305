package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.OrderKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Lanes share their shard with other destinations: what they read over must not make them miss anything. */
@ParameterizedClass
@MethodSource("databases")
class LaneTest {
    private static final OrderKey OURS = new OrderKey("orders", "o-1");
    private static final OrderKey THEIRS = IntStream.range(0, 100_000)
            .mapToObj(i -> new OrderKey("mails", "m-" + i))
            .filter(key -> key.shard() == OURS.shard())
            .findFirst()
            .orElseThrow();

    private final DataSource database;
    private final JdbcOutboxStore store;

    LaneTest(DataSource database) {
        this.database = database;
        store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
        store.migrate();
        Sql.execute(database, "DELETE FROM waybill_outbox");
    }

    static Stream<DataSource> databases() {
        return Stream.of(EmbeddedDatabases.postgres18(), EmbeddedDatabases.mariadb(), H2Databases.inMemory());
    }

    @Test
    void aLaneThatStopsAtItsLimitGoesOnWithWhatItLeft() throws SQLException {
        publish(OURS, OURS, OURS, THEIRS);

        LanePage page = read(0, 2, Long.MAX_VALUE);

        assertThat(page.entries()).hasSize(2);
        assertThat(page.position()).isEqualTo(page.entries().get(1).sequence());
        assertThat(page.more()).isTrue();
        assertThat(drain(2, Long.MAX_VALUE)).hasSize(3);
    }

    @Test
    void aLaneThatStopsAtItsBytesGoesOnWithWhatItLeft() throws SQLException {
        publish(OURS, OURS, OURS, THEIRS);

        assertThat(drain(10, 150)).hasSize(3);
        assertThat(drain(10, 1)).hasSize(3);
    }

    @Test
    void aSparseLaneIsReadInBoundedStepsWithoutMissingAnything() throws SQLException {
        List<OrderKey> keys = new ArrayList<>(Collections.nCopies(300, THEIRS));
        keys.set(0, OURS);
        keys.set(150, OURS);
        keys.set(151, OURS);
        keys.set(298, OURS);
        publish(keys.toArray(OrderKey[]::new));

        for (int limit = 1; limit <= 5; limit++) {
            assertThat(drain(limit, Long.MAX_VALUE))
                    .as("limit %d", limit)
                    .hasSize(4)
                    .isSorted();
        }
    }

    private List<Long> drain(int limit, long maxBytes) {
        List<Long> read = new ArrayList<>();
        LanePage page;
        long position = 0;
        do {
            page = read(position, limit, maxBytes);
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
            assertThat(page.more() && page.position() == position)
                    .as("no progress")
                    .isFalse();
            page.entries().stream().map(Entry::sequence).forEach(read::add);
            position = page.position();
        } while (page.more());
        return read;
    }

    private LanePage read(long position, int limit, long maxBytes) {
        return store.readLanes(List.of(new LaneCursor(OURS.shard(), OURS.destination(), position, limit, maxBytes)))
                .get(0);
    }

    private void publish(OrderKey... keys) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            List<Event> events = Stream.of(keys)
                    .map(key -> Event.to(key.destination())
                            .key(key.key())
                            .type("T")
                            .payload(new byte[100])
                            .build())
                    .toList();
            store.append(connection, events, Set.of());
            connection.commit();
        }
    }
}
