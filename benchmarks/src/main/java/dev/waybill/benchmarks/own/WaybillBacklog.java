package dev.waybill.benchmarks.own;

import dev.waybill.benchmarks.contender.Message;
import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Makes a backlog of Waybill's. On PostgreSQL one event of each key is published, to tables of their own, and the
 * server makes the rows from those: the same that publishing would leave, and quick. Elsewhere all are published.
 */
record WaybillBacklog(DataSource dataSource, JdbcOutbox outbox, Function<Message, Event> events) {
    static final String TEMPLATE = "template_";
    private static final int BATCH = 1000;
    private static final int CHUNK = 200_000;

    /** Commits all at once. */
    void fill(int messages, int keys, int payloadBytes) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
                publish(outbox, messages, keys, payloadBytes);
                return;
            }
            publishTemplate(keys, payloadBytes);
            connection.setAutoCommit(false);
            List<String> columns = WaybillTables.columns(connection, "waybill_outbox");
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET LOCAL work_mem = '512MB'");
                for (int from = 1; from <= messages; from += CHUNK) {
                    int to = Math.min(messages, from + CHUNK - 1);
                    statement.execute(insert("waybill_outbox", columns, expressions(columns), from, to, keys));
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Deliveries of today, as if they had been made one by one. */
    void fillHistory(int rows) throws SQLException {
        publishTemplate(BATCH, 300);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            List<String> columns = WaybillTables.columns(connection, "waybill_outbox");
            columns.remove("retry_at");
            List<String> to = new ArrayList<>(columns);
            to.addAll(List.of("seq", "delivered_at"));
            List<String> from = expressions(columns);
            from.addAll(List.of(
                    "g",
                    "date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + g * interval '1 microsecond'"));
            for (int chunk = 1; chunk <= rows; chunk += CHUNK) {
                int last = Math.min(rows, chunk + CHUNK - 1);
                statement.execute(insert("waybill_history", to, from, chunk, last, BATCH));
            }
            statement.execute("VACUUM ANALYZE waybill_history");
        }
    }

    /** Tables of its own, so that no relay finds the events. */
    private void publishTemplate(int keys, int payloadBytes) throws SQLException {
        JdbcStoreConfig config = JdbcStoreConfig.defaults().withTablePrefix(TEMPLATE);
        JdbcOutboxStore store = JdbcOutboxStore.create(dataSource, config);
        store.migrate();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("TRUNCATE " + TEMPLATE + "outbox");
        }
        publish(new JdbcOutbox(store, OutboxConfig.defaults()), keys, keys, payloadBytes);
    }

    private void publish(JdbcOutbox to, int messages, int keys, int payloadBytes) {
        for (int from = 1; from <= messages; from += BATCH) {
            List<Event> batch = new ArrayList<>();
            for (int i = from; i < from + BATCH && i <= messages; i++) {
                batch.add(events.apply(Message.ofBacklog(i, keys, payloadBytes)));
            }
            to.inTransaction(dataSource, transaction -> transaction.publishAll(batch));
        }
    }

    private static List<String> expressions(List<String> columns) {
        return columns.stream().map(WaybillBacklog::expression).collect(Collectors.toCollection(ArrayList::new));
    }

    /** Number and id are new; all else is that of the key's template. */
    private static String expression(String column) {
        return switch (column) {
            case "id" -> "uuidv7()";
            case "payload" -> "overlay(t.payload PLACING int8send(g) FROM 9 FOR 8)";
            default -> "t." + column;
        };
    }

    private static String insert(String table, List<String> columns, List<String> values, int from, int to, int keys) {
        return "INSERT INTO " + table + " (" + String.join(", ", columns) + ") SELECT " + String.join(", ", values)
                + " FROM generate_series(" + from + "::bigint, " + to + ") g JOIN " + TEMPLATE
                + "outbox t ON get_byte(t.payload, 7) + 256 * get_byte(t.payload, 6) = g % " + keys + " ORDER BY g";
    }
}
