package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.relay.Relay;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.InProcessTransport;
import dev.waybill.transport.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

/** The example of the README: it compiles, it works, and the README shows this very text. */
class GettingStartedTest {
    private final List<String> confirmed = new CopyOnWriteArrayList<>();

    @Test
    void theExampleOfTheReadmeDelivers() throws SQLException {
        JdbcConnectionPool dataSource = JdbcConnectionPool.create("jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1", "sa", "");
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute("CREATE TABLE shop_order (id varchar(20))");
        }
        // readme
        JdbcOutboxStore store = JdbcOutboxStore.create(dataSource, JdbcStoreConfig.defaults());
        store.migrate();
        JdbcOutbox outbox = new JdbcOutbox(store, OutboxConfig.defaults());

        Transport mailer = InProcessTransport.builder()
                .on("OrderPlaced", delivery -> sendConfirmation(delivery.event()))
                .executor(executor)
                .build();
        Relay relay = Relay.builder(store).route("mail", mailer).build().start();
        outbox.afterCommit(relay::wakeUp);

        outbox.inTransaction(dataSource, transaction -> {
            insertOrder(transaction.connection(), "o-1");
            return transaction.publish(Event.to("mail")
                    .key("o-1")
                    .type("OrderPlaced")
                    .json("{\"order\": \"o-1\"}")
                    .build());
        });
        // end
        await().until(() -> confirmed.contains("o-1"));
        relay.close();
        executor.shutdown();
        dataSource.dispose();
    }

    @Test
    void theReadmeShowsThisExample() throws IOException {
        Path root = Path.of("").toAbsolutePath().resolveSibling("README.md");
        Path source = Path.of("src/test/java/dev/waybill/e2e/GettingStartedTest.java");
        String text = Files.readString(source);
        String example =
                text.substring(text.indexOf("// readme\n") + "// readme\n".length(), text.indexOf("        // end\n"));
        assertThat(Files.readString(root)).contains(example.stripTrailing().stripIndent());
    }

    private void sendConfirmation(Event event) {
        confirmed.add(String.valueOf(event.key()));
    }

    private static void insertOrder(Connection connection, String id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO shop_order VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }
}
