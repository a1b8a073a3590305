package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final RecordedTerminal terminal = new RecordedTerminal();

    @TempDir
    Path folder;

    @Test
    void everyOrderTakesEffectOnceInEveryServiceAndOnlyTheLogIsLeft() throws IOException {
        Map<String, String> report = play("--for=3s", "--rate=50");
        assertThat(terminal.err()).isEmpty();
        assertThat(terminal.out())
                .contains("Every committed order took effect once in every service, in order, and nothing else did.");
        assertThat(Long.parseLong(report.get("rolledBack"))).isPositive();
        assertThat(report)
                .containsEntry("transport", "in-process")
                .containsEntry("ghosts", "0")
                .containsEntry("duplicates", "0")
                .containsEntry("pending", "0");
        Path log = Path.of(terminal.out().replaceFirst("(?s).*log in (\\S+).*", "$1"));
        assertThat(log).content().contains("Relay");
        try (var files = Files.list(log.getParent())) {
            assertThat(files).containsExactly(log);
        }
    }

    @Test
    void killedRelaysAndOutagesCostNothing() throws IOException {
        Map<String, String> report = play("--for=8s", "--rate=50", "--keys=20", "--relays=2", "--chaos");
        assertThat(terminal.out()).contains("chaos: ");
        assertThat(Long.parseLong(report.get("chaosEvents"))).isPositive();
    }

    @Test
    void everyOrderTakesEffectOnceAlthoughPaymentsFail() throws IOException {
        Map<String, String> report = play("--faults", "--for=6s", "--rate=50", "--keys=50");
        assertThat(terminal.out())
                .contains("Every committed order took effect once, in order, although payments failed.")
                .contains("fault: the bank of payments is down", "fault: an operator replays", "breaker closed");
        assertThat(report)
                .containsEntry("consumerDeadLettersOpen", "0")
                .containsEntry("waitingBehindAtEnd", "0")
                .containsEntry("asideAtEnd", "0");
        assertThat(report)
                .extractingByKeys("handled", "retries", "putAside", "consumerDeadLettersResolved", "outages")
                .allSatisfy(number -> assertThat(Long.parseLong(number)).isPositive());
    }

    @Test
    void throughKafkaEverythingArrivesAlthoughTheBrokerGoesDown() throws IOException {
        Map<String, String> report = play("--kafka", "--for=8s", "--rate=30", "--chaos");
        assertThat(terminal.out()).contains("Starting Kafka ...", "Kafka in this JVM", "chaos: ");
        assertThat(report).containsEntry("transport", "kafka");
    }

    @Test
    void onPostgresEachServiceHasASchemaOfItsOwn() throws IOException {
        play("--database=postgres", "--for=4s", "--rate=50", "--relays=2");
        assertThat(terminal.out()).contains("Starting PostgreSQL ...", "PostgreSQL 18 embedded");
    }

    @Test
    void onMariaDbEachServiceHasADatabaseOfItsOwn() throws IOException {
        play("--database=mariadb", "--for=4s", "--rate=30", "--relays=2");
        assertThat(terminal.out()).contains("Starting MariaDB ...", "MariaDB 11.4 embedded");
    }

    @Test
    void whileItRunsItServesItsMeters() throws Exception {
        CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(
                () -> terminal.run("demo", "--for=5s", "--rate=20", "--metrics-port=0", "--retention=0s"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(terminal.out()).contains("/metrics"));
        URI meters = URI.create(terminal.out().replaceFirst("(?s).*(http://\\S+).*", "$1"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(HttpClient.newHttpClient()
                                .send(HttpRequest.newBuilder(meters).build(), BodyHandlers.ofString())
                                .body())
                        .containsPattern(
                                "outbox_entries_delivered_total\\{destination=\"orders\",service=\"orders\"} [1-9]"));
        assertThat(exitCode).succeedsWithin(PATIENCE).isEqualTo(0);
        assertThat(terminal.out()).contains("history kept for 0s");
    }

    @Test
    void aDatabaseOfTheUserKeepsAllOfItsOwnAndNothingOfTheDemo() throws SQLException {
        String url = "jdbc:h2:mem:user;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customer_order (id INT)");
            statement.execute("CREATE TABLE waybill_outbox (id INT)");
            statement.execute("CREATE SCHEMA own");
            statement.execute("CREATE SCHEMA waybill_demo_orders");
            statement.execute("CREATE TABLE waybill_demo_orders.left_by_an_earlier_run (id INT)");
            int exitCode = terminal.run("demo", "--database", url, "--user", "sa", "--for", "1s", "--rate", "20");
            assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
            assertThat(names(connection.getMetaData().getSchemas(), "TABLE_SCHEM"))
                    .containsExactlyInAnyOrder("INFORMATION_SCHEMA", "OWN", "PUBLIC");
            assertThat(names(
                            connection.getMetaData().getTables(null, "PUBLIC", "%", new String[] {"BASE TABLE"}),
                            "TABLE_NAME"))
                    .containsExactlyInAnyOrder("CUSTOMER_ORDER", "WAYBILL_OUTBOX");
        }
    }

    /** Runs it, and expects that all is as promised. */
    private Map<String, String> play(String... options) throws IOException {
        Path json = folder.resolve("report.json");
        List<String> command = new ArrayList<>(List.of("demo", "--no-metrics", "--json=" + json));
        command.addAll(List.of(options));
        int exitCode = terminal.run(command.toArray(String[]::new));
        assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
        Map<String, String> report = DemoReportTest.read(json);
        assertThat(Long.parseLong(report.get("written"))).isPositive();
        assertThat(report)
                .containsEntry("delivered", report.get("written"))
                .containsEntry("lost", "0")
                .containsEntry("doubled", "0")
                .containsEntry("outOfOrder", "0")
                .containsEntry("holds", "true");
        return report;
    }

    private static List<String> names(ResultSet rows, String column) throws SQLException {
        List<String> names = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                names.add(rows.getString(column));
            }
        }
        return names;
    }
}
