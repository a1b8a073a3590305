package dev.waybill.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.store.Shards;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The expression at the top of the DDL, for who inserts without Waybill, is the shard function of {@link Shards}. */
class ShardExpressionTest {

    @Test
    void postgresComputesTheSameShard() throws SQLException, IOException {
        assertSame(EmbeddedDatabases.postgres18(), "postgresql");
        assertSame(EmbeddedDatabases.postgres16(), "postgresql");
    }

    @Test
    void mariaDbComputesTheSameShard() throws SQLException, IOException {
        assertSame(EmbeddedDatabases.mariadb(), "mariadb");
    }

    @Test
    void h2ComputesTheSameShard() throws SQLException, IOException {
        assertSame(H2Databases.inMemory(), "h2");
    }

    private static void assertSame(DataSource database, String folder) throws SQLException, IOException {
        JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
        store.migrate();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            events.add(Event.to("orders." + i % 7)
                    .key("key-" + i + "-ä注文🚚")
                    .type("T")
                    .build());
            events.add(Event.to("orders").type("T").build());
        }
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            store.append(connection, events, Set.of());
            connection.commit();
        }
        String expression = documentedExpression(folder);

        assertThat(Sql.number(database, "SELECT count(*) FROM waybill_outbox WHERE shard = " + expression))
                .isEqualTo(events.size());
        assertThat(Sql.number(database, "SELECT count(DISTINCT shard) FROM waybill_outbox"))
                .isGreaterThan(Shards.COUNT / 2);
    }

    /** The first lines of the head comment that are indented by three. */
    private static String documentedExpression(String folder) throws IOException {
        try (InputStream in =
                Migrations.class.getResourceAsStream("/dev/waybill/schema/" + folder + "/V001__outbox.sql")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .dropWhile(line -> !line.startsWith("--   "))
                    .takeWhile(line -> line.startsWith("--   "))
                    .map(line -> line.substring(2))
                    .collect(Collectors.joining());
        }
    }
}
