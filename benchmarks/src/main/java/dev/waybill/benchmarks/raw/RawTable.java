package dev.waybill.benchmarks.raw;

import dev.waybill.benchmarks.contender.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** An outbox as somebody would write it by hand, with nothing but a primary key. */
enum RawTable {
    POSTGRES("bigint GENERATED ALWAYS AS IDENTITY", "uuid", "bytea", "timestamptz"),
    MARIADB("bigint AUTO_INCREMENT", "char(36)", "mediumblob", "timestamp(6)"),
    H2("bigint GENERATED ALWAYS AS IDENTITY", "uuid", "varbinary(1000000)", "timestamp(6) with time zone");

    static final String COLUMNS = "id, destination, event_key, type, payload, occurred_at";
    private static final String VALUES = "(?, 'bench', ?, 'PurchaseMade', ?, CURRENT_TIMESTAMP)";
    private static final int BATCH = 1000;

    private final String numbered;
    private final String columns;

    RawTable(String numbered, String uuid, String bytes, String time) {
        this.numbered = numbered;
        columns = "id " + uuid + " NOT NULL, destination varchar(200) NOT NULL, event_key varchar(255) NOT NULL,"
                + " type varchar(200) NOT NULL, payload " + bytes + " NOT NULL, occurred_at " + time + " NOT NULL";
    }

    static RawTable of(Connection connection) throws SQLException {
        return switch (connection.getMetaData().getDatabaseProductName()) {
            case "PostgreSQL" -> POSTGRES;
            case "MariaDB" -> MARIADB;
            default -> H2;
        };
    }

    void install(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS raw_outbox");
            statement.execute("DROP TABLE IF EXISTS raw_history");
            statement.execute("CREATE TABLE raw_outbox (seq " + numbered + " PRIMARY KEY, " + columns + ")");
            statement.execute("CREATE TABLE raw_history (seq bigint PRIMARY KEY, " + columns
                    + ", delivered_at timestamp NOT NULL)");
        }
    }

    /** Deliveries that were made before, on PostgreSQL. */
    void fillHistory(Connection connection, int rows) throws SQLException {
        if (rows == 0) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            // Below all numbers that the outbox will draw.
            statement.execute(
                    "INSERT INTO raw_history SELECT -g, uuidv7(), 'bench', 'key-' || g % 1000, 'PurchaseMade',"
                            + " convert_to(rpad('', 300, md5(g::text)), 'UTF8'), now(), now() FROM generate_series(1, "
                            + rows
                            + ") g");
            statement.execute("VACUUM ANALYZE raw_history");
        }
    }

    /** One INSERT, of as many rows as there are messages. */
    void insert(Connection connection, List<Message> messages) throws SQLException {
        String sql = "INSERT INTO raw_outbox (" + COLUMNS + ") VALUES " + VALUES
                + (", " + VALUES).repeat(messages.size() - 1);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int parameter = 1;
            for (Message message : messages) {
                UUID id = UUID.randomUUID();
                statement.setObject(parameter++, this == MARIADB ? id.toString() : id);
                statement.setString(parameter++, message.key());
                statement.setBytes(parameter++, message.payload());
            }
            statement.executeUpdate();
        }
    }

    /** In one transaction, by the server itself where it can make the payloads. */
    void fill(Connection connection, int messages, int keys, int payloadBytes) throws SQLException {
        connection.setAutoCommit(false);
        if (this == POSTGRES) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "INSERT INTO raw_outbox (" + COLUMNS + ") SELECT uuidv7(), 'bench', 'key-' || g % " + keys
                                + ", 'PurchaseMade', int8send(g % " + keys + ") || int8send(g) || int8send(0)"
                                + " || convert_to(rpad('', " + (payloadBytes - Message.HEAD)
                                + ", md5(g::text)), 'UTF8'), clock_timestamp() FROM generate_series(1::bigint, "
                                + messages + ") g");
            }
        } else {
            for (int from = 1; from <= messages; from += BATCH) {
                int first = from;
                insert(
                        connection,
                        IntStream.range(first, Math.min(first + BATCH, messages + 1))
                                .mapToObj(i -> Message.ofBacklog(i, keys, payloadBytes))
                                .toList());
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** All that a delivery needs: a consumer can do nothing with a payload of unknown type and id. */
    String select() {
        return "SELECT seq, event_key, payload, id, destination, type, occurred_at FROM raw_outbox WHERE seq > ?"
                + " ORDER BY seq LIMIT ?";
    }

    /** By number, because a loop may only delete what it has delivered: others commit in between. */
    String delete(int rows, boolean history) {
        String which = this == MARIADB ? "seq IN (?" + ", ?".repeat(rows - 1) + ")" : "seq = ANY (?)";
        String delete = "DELETE FROM raw_outbox WHERE " + which;
        return !history
                ? delete
                : "WITH gone AS (" + delete + " RETURNING *) INSERT INTO raw_history SELECT *, now() FROM gone";
    }

    void bind(PreparedStatement statement, List<Long> numbers) throws SQLException {
        if (this == MARIADB) {
            for (int i = 0; i < numbers.size(); i++) {
                statement.setLong(i + 1, numbers.get(i));
            }
        } else {
            statement.setArray(1, statement.getConnection().createArrayOf("bigint", numbers.toArray()));
        }
    }
}
