package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxTransport;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.relay.Relay;
import dev.waybill.store.jdbc.JdbcInbox;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.NonRetryableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/consumers.md and of the README: they compile, they work, and the documents show these very texts. */
class ConsumerExampleTest {

    /** What no retry would change. */
    private static final class OutOfStock extends Exception implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        OutOfStock(String article) {
            super("No " + article + " left");
        }
    }

    @Test
    void theExampleHandlesFailsAndIsRepaired() throws Exception {
        JdbcConnectionPool dataSource = JdbcConnectionPool.create("jdbc:h2:mem:consumer;DB_CLOSE_DELAY=-1", "sa", "");
        ExecutorService executor = Executors.newFixedThreadPool(4);
        execute(dataSource, "CREATE TABLE article (name varchar(20), stock int)");
        execute(dataSource, "CREATE TABLE reservation (n int GENERATED ALWAYS AS IDENTITY, event varchar(36))");
        execute(dataSource, "INSERT INTO article VALUES ('pen', 1)");
        JdbcOutboxStore store = JdbcOutboxStore.create(dataSource, JdbcStoreConfig.defaults());
        store.migrate();
        JdbcOutbox outbox = new JdbcOutbox(store, OutboxConfig.defaults());
        // consumer
        JdbcOutboxStore siding = JdbcOutboxStore.create(dataSource, JdbcStoreConfig.siding());
        siding.migrate();
        InboxConsumer<Connection> stock = InboxConsumer.named("stock", new JdbcInbox(dataSource, siding))
                .on("OrderPlaced", (connection, delivery) -> reserve(connection, delivery.event()))
                .build();
        Relay retries = SidingRelay.start(siding, executor, stock);
        // end
        Relay relay = Relay.builder(store)
                .route("orders", InboxTransport.to(executor, stock))
                .build()
                .start();
        outbox.afterCommit(relay::wakeUp);

        List<Event> orders = List.of(order("o-1"), order("o-1"), order("o-1"));
        outbox.inTransaction(dataSource, transaction -> transaction.publishAll(orders));
        await().until(() -> siding.deadLetters().count(DeadLetterFilter.all()) == 1);
        await().until(() -> store.operations().statistics().destinations().stream()
                .allMatch(destination -> destination.pending() == 0));
        assertThat(reserved(dataSource)).containsExactly(orders.get(0).id().toString());
        // repair
        DeadLetter letter =
                siding.deadLetters().list(DeadLetterFilter.all(), 0, 10).get(0);
        print(letter.consumer(), letter.entry().lastError()); // stock, ...OutOfStock: No pen left
        restock(dataSource, "pen", 5);
        siding.deadLetters().redrive(letter.entry().sequence(), Signature.of("ada", "pens are back"));
        // end
        await().atMost(Duration.ofSeconds(10)).until(() -> reserved(dataSource).size() == 3);
        assertThat(reserved(dataSource))
                .isEqualTo(orders.stream().map(event -> event.id().toString()).toList());
        await().until(() -> siding.deadLetters()
                        .find(letter.entry().sequence())
                        .orElseThrow()
                        .state()
                == DeadLetter.State.RESOLVED);
        relay.close();
        retries.close();
        executor.shutdown();
        dataSource.dispose();
    }

    @Test
    void theDocumentsShowTheseExamples() throws IOException {
        String page = Files.readString(root().resolve("docs/consumers.md"));
        assertThat(page).contains(example("consumer")).contains(example("repair"));
        assertThat(Files.readString(root().resolve("README.md"))).contains(example("consumer"));
    }

    private static Path root() {
        return Path.of("").toAbsolutePath().resolveSibling("");
    }

    private static String example(String name) throws IOException {
        String text = Files.readString(Path.of("src/test/java/dev/waybill/e2e/ConsumerExampleTest.java"));
        int start = text.indexOf("        // " + name + "\n") + ("        // " + name + "\n").length();
        return text.substring(start, text.indexOf("        // end\n", start))
                .stripTrailing()
                .stripIndent();
    }

    private static void print(Object consumer, @Nullable String reason) {
        assertThat(consumer + ", " + reason).contains("stock", "OutOfStock: No pen left");
    }

    private static Event order(String key) {
        return Event.to("orders").key(key).type("OrderPlaced").json("{}").build();
    }

    private static void reserve(Connection connection, Event event) throws SQLException, OutOfStock {
        try (Statement statement = connection.createStatement()) {
            if (statement.executeUpdate("UPDATE article SET stock = stock - 1 WHERE name = 'pen' AND stock > 0") == 0) {
                throw new OutOfStock("pen");
            }
            statement.executeUpdate("INSERT INTO reservation (event) VALUES ('" + event.id() + "')");
        }
    }

    private static void restock(DataSource dataSource, String article, int pieces) throws SQLException {
        execute(dataSource, "UPDATE article SET stock = " + pieces + " WHERE name = '" + article + "'");
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> reserved(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT event FROM reservation ORDER BY n")) {
            List<String> events = new ArrayList<>();
            while (rows.next()) {
                events.add(rows.getString(1));
            }
            return events;
        }
    }
}
