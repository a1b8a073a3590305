package dev.waybill.chaos.check;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What the databases of producer and consumers hold at the end. Used by one thread. */
public final class Remains implements AutoCloseable {
    private final HikariDataSource outbox;
    private final HikariDataSource inbox;

    public Remains(Pools.Target producers, Pools.Target consumers) {
        outbox = Pools.open(producers, "chaos-check-outbox", 2);
        inbox = Pools.open(consumers, "chaos-check-inbox", 2);
    }

    public Connection producersDatabase() throws SQLException {
        return outbox.getConnection();
    }

    /** Events that have not arrived yet. */
    public long pending() {
        return count(outbox, "SELECT count(*) FROM waybill_outbox");
    }

    /** Events that consumers have put aside to try again. */
    public long aside() {
        return count(inbox, "SELECT count(*) FROM waybill_inbox_outbox");
    }

    public long effects() {
        return count(inbox, "SELECT count(*) FROM effect");
    }

    long deadLetters() {
        return JdbcOutboxStore.create(outbox, JdbcStoreConfig.defaults())
                .deadLetters()
                .count(DeadLetterFilter.all());
    }

    long consumerDeadLetters() {
        return JdbcOutboxStore.create(inbox, JdbcStoreConfig.siding())
                .deadLetters()
                .count(DeadLetterFilter.all());
    }

    /** In the order in which they took effect. */
    List<Arrival> allEffects() {
        try (Connection connection = inbox.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT event, at_millis FROM effect ORDER BY n")) {
            List<Arrival> effects = new ArrayList<>();
            while (rows.next()) {
                effects.add(new Arrival(UUID.fromString(rows.getString(1)), "", 0, rows.getLong(2)));
            }
            return effects;
        } catch (SQLException e) {
            throw new IllegalStateException("The effects could not be read", e);
        }
    }

    private static long count(HikariDataSource pool, String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("Failed: " + sql, e);
        }
    }

    @Override
    public void close() {
        outbox.close();
        inbox.close();
    }
}
