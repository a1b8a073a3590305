package dev.waybill.benchmarks.peers;

import dev.waybill.benchmarks.contender.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Makes a backlog out of copies of rows that a peer has published itself: what it wrote for one event is what it would
 * have written for the next one, but for the id, the time and the text of the event.
 */
final class Backlog {
    private static final int ROWS_A_STATEMENT = 1_000;

    /**
     * The peer's own rows, aside: a copy is not made of copies. A statement that copies joins it with the messages
     * {@code m (number, key, text, sample_key, sample_text)}, where the last two are of the row that is copied.
     */
    static final String MESSAGES =
            "unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[]) AS m (number, key, text, sample_key, sample_text)";

    private Backlog() {}

    /** Some messages of a backlog, in their order. */
    static List<Message> messages(int first, int count, int keys, int payloadBytes) {
        return LongStream.range(first, (long) first + count)
                .mapToObj(number -> Message.ofBacklog(number, keys, payloadBytes))
                .toList();
    }

    /**
     * Adds messages to a table that holds the first ones, as many as {@code published}.
     *
     * @param copy an INSERT out of the table {@code sample} and of {@link #MESSAGES}
     */
    static void complete(
            Database database, String table, String copy, int published, int messages, int keys, int payloadBytes)
            throws SQLException {
        try (Connection connection = database.pool().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE TEMPORARY TABLE sample ON COMMIT DROP AS SELECT * FROM " + table);
            try (PreparedStatement insert = connection.prepareStatement(copy)) {
                for (int first = published + 1; first <= messages; first += ROWS_A_STATEMENT) {
                    int count = Math.min(ROWS_A_STATEMENT, messages - first + 1);
                    set(insert, first, count, published, keys, payloadBytes);
                    int rows = insert.executeUpdate();
                    if (rows != count) {
                        throw new IllegalStateException(
                                rows + " rows instead of " + count + ": look at the statement that copies: " + copy);
                    }
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
        database.settle(table);
    }

    private static void set(PreparedStatement insert, int first, int count, int published, int keys, int payloadBytes)
            throws SQLException {
        Long[] numbers = new Long[count];
        String[] keyNames = new String[count];
        String[] texts = new String[count];
        String[] sampleKeys = new String[count];
        String[] sampleTexts = new String[count];
        for (int i = 0; i < count; i++) {
            Message message = Message.ofBacklog(first + i, keys, payloadBytes);
            Message sample = Message.ofBacklog((first + i - 1) % published + 1, keys, payloadBytes);
            numbers[i] = message.number();
            keyNames[i] = message.key();
            texts[i] = Text.of(message.payload());
            sampleKeys[i] = sample.key();
            sampleTexts[i] = Text.of(sample.payload());
        }
        Connection connection = insert.getConnection();
        insert.setArray(1, connection.createArrayOf("bigint", numbers));
        insert.setArray(2, connection.createArrayOf("text", keyNames));
        insert.setArray(3, connection.createArrayOf("text", texts));
        insert.setArray(4, connection.createArrayOf("text", sampleKeys));
        insert.setArray(5, connection.createArrayOf("text", sampleTexts));
    }
}
