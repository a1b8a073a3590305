package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Contender;
import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Purchase;
import dev.waybill.benchmarks.contender.Purchases;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Debezium's embedded engine, which reads the write-ahead log (pgoutput) and promises at least once and the order of
 * commits, so that of keys too.
 *
 * <p>Writers insert into an outbox table with only a primary key. Rows are not deleted: that would be a second change to
 * decode, and in production whole partitions are dropped. The slot is there before a backlog is, as it would be in
 * production; the backlog is read from the log. The server needs {@code wal_level=logical}. For tuning see {@link
 * DebeziumRun}.
 */
final class DebeziumContender implements Contender {
    static final String NAME = "Debezium";
    static final String TABLE = "debezium_outbox";
    static final String SLOT = "bench_debezium";
    static final String PUBLICATION = "bench_debezium";

    private static final int FILL_BATCH = 1_000;

    /** The server notices some time after the engine has ended that nobody reads any more. */
    private static final String DROP_SLOT = """
            DO $$
            BEGIN
                FOR i IN 1..200 LOOP
                    EXIT WHEN NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = '%1$s' AND active);
                    PERFORM pg_sleep(0.05);
                END LOOP;
                PERFORM pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '%1$s';
            END
            $$
            """.formatted(SLOT);

    private static final String AWAIT_READER = """
            DO $$
            BEGIN
                FOR i IN 1..600 LOOP
                    EXIT WHEN EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = '%s' AND active);
                    PERFORM pg_sleep(0.05);
                END LOOP;
            END
            $$
            """.formatted(SLOT);

    private final Site site;
    private final Database database;
    private final Path offsets;
    private @Nullable DebeziumRun run;

    DebeziumContender(Site site) {
        this.site = site;
        offsets = temporaryFile();
        database = new Database(site, 2);
    }

    private static Path temporaryFile() {
        try {
            return Files.createTempFile("waybill-bench-debezium", ".offsets");
        } catch (IOException e) {
            throw new UncheckedIOException("No place for Debezium's offsets", e);
        }
    }

    @Override
    public String settings() {
        return "Debezium embedded " + Versions.of("debezium") + ", " + DebeziumRun.SETTINGS + ", outbox rows are kept, "
                + database.settings();
    }

    /** The slot is made anew: an old one would make the server read what others have written since. */
    @Override
    public void install() throws SQLException, IOException {
        stop();
        Files.write(offsets, new byte[0]);
        requireLogicalDecoding();
        dropSlot();
        database.installPurchases();
        database.execute(
                "DROP PUBLICATION IF EXISTS " + PUBLICATION,
                "DROP TABLE IF EXISTS " + TABLE,
                "CREATE TABLE " + TABLE + " (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                        + " event_key TEXT NOT NULL, payload BYTEA NOT NULL)",
                "CREATE PUBLICATION " + PUBLICATION + " FOR TABLE " + TABLE + " WITH (publish = 'insert')",
                "SELECT pg_create_logical_replication_slot('" + SLOT + "', 'pgoutput')");
    }

    private void requireLogicalDecoding() throws SQLException {
        try (Connection connection = database.pool().getConnection();
                PreparedStatement query = connection.prepareStatement("SHOW wal_level");
                ResultSet level = query.executeQuery()) {
            level.next();
            if (!level.getString(1).equals("logical")) {
                throw new IllegalStateException("Debezium reads the log: start the server with wal_level=logical");
            }
        }
    }

    private void dropSlot() throws SQLException {
        database.execute(DROP_SLOT);
    }

    @Override
    public void transact(Purchase purchase, List<Message> messages) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            connection.setAutoCommit(false);
            try {
                Purchases.insert(connection, purchase);
                insert(connection, messages);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private static void insert(Connection connection, List<Message> messages) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + TABLE + " (event_key, payload) VALUES (?, ?)")) {
            for (Message message : messages) {
                insert.setString(1, message.key());
                insert.setBytes(2, message.payload());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @Override
    public void fill(int messages, int keys, int payloadBytes) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            connection.setAutoCommit(false);
            for (int first = 1; first <= messages; first += FILL_BATCH) {
                insert(
                        connection,
                        Backlog.messages(first, Math.min(FILL_BATCH, messages - first + 1), keys, payloadBytes));
                connection.commit();
            }
        }
    }

    /** Returns when it reads, so that nobody measures how long the engine takes for that. */
    @Override
    public void start(Receiver receiver) throws SQLException {
        run = new DebeziumRun(site, offsets, receiver);
        database.execute(AWAIT_READER);
    }

    @Override
    public void stop() {
        DebeziumRun running = run;
        run = null;
        if (running != null) {
            running.close();
        }
    }

    /** A slot that nobody reads keeps the log of all others. */
    @Override
    public void close() {
        stop();
        try {
            dropSlot();
            Files.deleteIfExists(offsets);
        } catch (SQLException e) {
            throw new IllegalStateException("Drop the replication slot " + SLOT + ": it keeps the log", e);
        } catch (IOException e) {
            throw new UncheckedIOException("Delete " + offsets, e);
        } finally {
            database.close();
        }
    }
}
