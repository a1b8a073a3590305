package dev.waybill.benchmarks.raw;

import dev.waybill.benchmarks.contender.Message;
import dev.waybill.benchmarks.contender.Receiver;
import dev.waybill.benchmarks.contender.Site;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An outbox by hand: an INSERT into a table with only a primary key, and a loop on one connection that reads 1,000 rows,
 * hands them over, and deletes them (or moves them to a history) in a transaction. It keeps no order when writers overlap,
 * knows no retry, no second process and no late commit: the limit, not an alternative.
 */
class RawOutbox extends NoOutbox {
    private static final Logger LOG = LoggerFactory.getLogger(RawOutbox.class);
    static final int BATCH = 1000;
    private static final long IDLE_NANOS = 1_000_000;

    /** A row of the outbox. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares rows
    record Row(long number, String key, byte[] payload) {}

    private final boolean history;
    private final RawTable table;
    private volatile boolean stopped;
    private @Nullable Thread thread;

    RawOutbox(Site site) {
        super(site);
        history = !Duration.parse(site.options().getOrDefault("retention", "PT0S"))
                .isZero();
        try (Connection connection = pool().getConnection()) {
            table = RawTable.of(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("No connection to " + site.jdbcUrl(), e);
        }
    }

    @Override
    public String settings() {
        return "JDBC, " + site().writers() + " writers' connections; drains on 1 connection, " + BATCH
                + " rows a commit, " + (history ? "moved to a history" : "deleted") + ", no order";
    }

    @Override
    public void install() throws SQLException {
        super.install();
        try (Connection connection = pool().getConnection()) {
            table.install(connection);
            table.fillHistory(connection, Integer.parseInt(site().options().getOrDefault("history", "0")));
        }
    }

    @Override
    void publish(Connection connection, List<Message> messages) throws SQLException {
        table.insert(connection, messages);
    }

    @Override
    public void fill(int messages, int keys, int payloadBytes) throws SQLException {
        try (Connection connection = pool().getConnection()) {
            table.fill(connection, messages, keys, payloadBytes);
        }
    }

    @Override
    public void start(Receiver receiver) {
        stopped = false;
        thread = new Thread(() -> run(receiver), "raw-loop");
        thread.start();
    }

    private void run(Receiver receiver) {
        try (Connection connection = pool().getConnection()) {
            drain(connection, receiver);
        } catch (SQLException | RuntimeException e) {
            LOG.error("The loop ended", e);
        }
    }

    void drain(Connection connection, Receiver receiver) throws SQLException {
        long position = 0;
        while (!stopped) {
            List<Row> rows = read(connection, position);
            if (rows.isEmpty()) {
                LockSupport.parkNanos(IDLE_NANOS);
                continue;
            }
            rows.forEach(row -> receiver.received(row.key(), row.payload()));
            delete(connection, rows);
            position = rows.get(rows.size() - 1).number();
        }
    }

    boolean isStopped() {
        return stopped;
    }

    List<Row> read(Connection connection, long position) throws SQLException {
        List<Row> rows = new ArrayList<>(BATCH);
        try (PreparedStatement statement = connection.prepareStatement(table.select())) {
            statement.setLong(1, position);
            statement.setInt(2, BATCH);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(new Row(found.getLong(1), found.getString(2), found.getBytes(3)));
                }
            }
        }
        return rows;
    }

    void delete(Connection connection, List<Row> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(table.delete(rows.size(), history))) {
            table.bind(statement, rows.stream().map(Row::number).toList());
            statement.executeUpdate();
        }
    }

    @Override
    public void stop() throws InterruptedException {
        stopped = true;
        if (thread != null) {
            thread.join();
        }
    }

    @Override
    public void close() {
        stopped = true;
        super.close();
    }
}
