package dev.waybill.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.server.RecordedTerminal;
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
    private final RecordedTerminal terminal = new RecordedTerminal();

    @TempDir
    Path folder;

    @Test
    void everythingArrivesAndNothingElse() throws IOException {
        Path json = folder.resolve("report.json");
        int exitCode = terminal.run("demo", "--for", "3s", "--rate", "100", "--json", json.toString());
        assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
        assertThat(terminal.err()).isEmpty();
        assertThat(terminal.out()).contains("Every committed event arrived, in order, and nothing else did.");
        Map<String, String> report = DemoReportTest.read(json);
        assertThat(Long.parseLong(report.get("written"))).isPositive();
        assertThat(Long.parseLong(report.get("rolledBack"))).isPositive();
        assertThat(report)
                .containsEntry("delivered", report.get("written"))
                .containsEntry("lost", "0")
                .containsEntry("ghosts", "0")
                .containsEntry("outOfOrder", "0")
                .containsEntry("pending", "0")
                .containsEntry("duplicates", "0")
                .containsEntry("holds", "true");
    }

    @Test
    void killedRelaysAndOutagesCostNothing() throws IOException {
        Path json = folder.resolve("report.json");
        int exitCode =
                terminal.run("demo", "--for=8s", "--rate=100", "--keys=20", "--relays=3", "--chaos", "--json=" + json);
        assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
        assertThat(terminal.out()).contains("chaos: ");
        assertThat(Long.parseLong(DemoReportTest.read(json).get("chaosEvents"))).isPositive();
    }

    @Test
    void everyOrderTakesEffectOnceAlthoughTheConsumerFails() throws IOException {
        Path json = folder.resolve("report.json");
        int exitCode =
                terminal.run("demo", "--faults", "--for=6s", "--rate=100", "--keys=50", "--relays=2", "--json=" + json);
        assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
        assertThat(terminal.out())
                .contains("Every committed order took effect once, in order, although the consumer failed.")
                .contains("fault: the consumer's warehouse is down", "fault: an operator replays", "breaker closed");
        Map<String, String> report = DemoReportTest.read(json);
        assertThat(report)
                .containsEntry("delivered", report.get("written"))
                .containsEntry("handled", report.get("written"))
                .containsEntry("duplicates", "0")
                .containsEntry("lost", "0")
                .containsEntry("outOfOrder", "0")
                .containsEntry("consumerDeadLettersOpen", "0")
                .containsEntry("waitingBehindAtEnd", "0")
                .containsEntry("asideAtEnd", "0");
        assertThat(report)
                .extractingByKeys("retries", "putAside", "deferred", "consumerDeadLettersResolved", "outages")
                .allSatisfy(number -> assertThat(Long.parseLong(number)).isPositive());
    }

    @Test
    void throughKafkaEverythingArrivesAlthoughTheBrokerGoesDown() throws IOException {
        Path json = folder.resolve("report.json");
        int exitCode = terminal.run(
                "demo", "--transport=kafka", "--for=10s", "--rate=50", "--relays=2", "--chaos", "--json=" + json);
        assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
        assertThat(terminal.out()).contains("Starting Kafka ...", "Kafka in this JVM", "chaos: ");
        Map<String, String> report = DemoReportTest.read(json);
        assertThat(Long.parseLong(report.get("delivered"))).isPositive();
        assertThat(report)
                .containsEntry("transport", "kafka")
                .containsEntry("delivered", report.get("written"))
                .containsEntry("lost", "0")
                .containsEntry("ghosts", "0")
                .containsEntry("outOfOrder", "0");
    }

    @Test
    void onMariaDbEverythingArrivesAlthoughRelaysAreKilled() throws IOException {
        Path json = folder.resolve("report.json");
        int exitCode = terminal.run(
                "demo", "--database=mariadb", "--for=6s", "--rate=50", "--relays=2", "--chaos", "--json=" + json);
        assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
        assertThat(terminal.out()).contains("Starting MariaDB ...", "MariaDB 11.4 embedded");
        assertThat(DemoReportTest.read(json)).containsEntry("lost", "0").containsEntry("holds", "true");
    }

    @Test
    void whileItRunsItServesItsMeters() throws Exception {
        CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(
                () -> terminal.run("demo", "--for=6s", "--rate=50", "--metrics-port=0", "--retention=0s"));
        await().untilAsserted(() -> assertThat(terminal.out()).contains("/metrics"));
        URI meters = URI.create(terminal.out().replaceFirst("(?s).*(http://\\S+).*", "$1"));
        await().untilAsserted(() -> assertThat(HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(meters).build(), BodyHandlers.ofString())
                        .body())
                .containsPattern("outbox_entries_delivered_total\\{destination=\"orders\"} [1-9]"));
        assertThat(exitCode).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(0);
        assertThat(terminal.out()).contains("history kept for 0s");
    }

    @Test
    void aDatabaseOfTheUserKeepsAllOfItsOwnTablesAndNoneOfTheDemos() throws SQLException {
        String url = "jdbc:h2:mem:user;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE demo_order (id INT)");
            statement.execute("CREATE TABLE waybill_outbox (id INT)");
            statement.execute("CREATE TABLE waybill_demo_outbox (left_by_an_earlier_run INT)");
            int exitCode = terminal.run("demo", "--database", url, "--user", "sa", "--for", "1s", "--rate", "50");
            assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
            assertThat(tables(connection)).containsExactlyInAnyOrder("DEMO_ORDER", "WAYBILL_OUTBOX");
        }
    }

    @Test
    void itLeavesOnlyItsLogBehind() throws IOException {
        terminal.run("demo", "--for", "1s", "--rate", "20");
        Path log = Path.of(terminal.out().replaceFirst("(?s).*log in (\\S+).*", "$1"));
        assertThat(log).content().contains("Relay");
        assertThat(log.getParent()).isDirectoryContaining(log::equals);
        try (var files = Files.list(log.getParent())) {
            assertThat(files).containsExactly(log);
        }
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet found =
                connection.getMetaData().getTables(null, "PUBLIC", "%", new String[] {"TABLE", "BASE TABLE"})) {
            while (found.next()) {
                names.add(found.getString("TABLE_NAME"));
            }
        }
        return names;
    }
}
