package dev.waybill.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.RecordedTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadLetterScenarioTest {
    private final RecordedTerminal terminal = new RecordedTerminal();

    @TempDir
    Path folder;

    @Test
    void itRunsUnattendedAndEveryCheckHolds() throws IOException {
        Path json = folder.resolve("scenario.json");
        int exitCode = terminal.run("scenario", "dead-letter", "--within", "20s", "--json", json.toString());
        assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
        assertThat(terminal.err()).isEmpty();
        assertThat(terminal.out())
                .contains("1. Inject", "2. Fail", "3. Inspect", "4. Fix", "5. Replay", "6. Verify")
                .contains("OutOfStockException", "checkout-o-1", "stock/anna", "(promised: within 20 s)")
                .contains("Every check held")
                .doesNotContain("✖", "Enter", "\u001b");
        assertThat(terminal.out().lines()).allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
        assertThat(Files.readString(json))
                .contains("\"scenario\" : \"dead-letter\"", "\"database\" : \"H2 file\"", "\"name\" : \"verify\"")
                .containsPattern("\"replaySeconds\" : 0\\.\\d+")
                .doesNotContain("\"holds\" : false");
    }

    @Test
    void aReplayWithoutARepairFailsAgainAndSoDoesTheScenario() throws IOException {
        Path json = folder.resolve("scenario.json");
        int exitCode = terminal.run("scenario", "dead-letter", "--no-fix", "--json", json.toString());
        assertThat(exitCode).as(terminal.out() + terminal.err()).isEqualTo(1);
        assertThat(terminal.out())
                .contains("✖ o-1 took effect (promised: within 1 s)")
                .contains("is pending, replayed 1 x", "there are 0.")
                .contains("The scenario failed")
                .doesNotContain("6. Verify", "Every check held");
        assertThat(Files.readString(json))
                .contains("\"replaySeconds\" : null", "\"holds\" : false", "\"found\" : \"dead");
        assertThat(logFolder()).isDirectoryContaining("glob:**.mv.db");
    }

    @Test
    void aGuidedOneSaysWhatWillHappenAndWaitsUntilTheInputEnds() {
        int exitCode = terminal.runTyping("\n\n", "scenario", "dead-letter", "--guided", "--within", "20s");
        assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
        assertThat(terminal.out().split("Enter to go on", -1)).hasSize(7);
        assertThat(terminal.out()).contains("The shop commits each order together with its event.", "Every check held");
        assertThat(terminal.out().indexOf("which no retry mends"))
                .isLessThan(terminal.out().indexOf("1 dead letter"));
    }

    @Test
    void aDatabaseOfTheUserIsLeftAsItWas() throws SQLException {
        String url = "jdbc:h2:mem:scenario;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE waybill_outbox (id INT)");
            int exitCode =
                    terminal.run("scenario", "dead-letter", "--within", "20s", "--database", url, "--user", "sa");
            assertThat(exitCode).as(terminal.out() + terminal.err()).isZero();
            try (ResultSet tables = statement.executeQuery(
                    "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'PUBLIC'")) {
                assertThat(tables.next()).isTrue();
                assertThat(tables.getInt(1)).isEqualTo(1);
            }
        }
    }

    @Test
    void itExplainsItselfAndRefusesWhatItDoesNotKnow() {
        assertThat(terminal.run("scenario")).isZero();
        assertThat(terminal.out()).contains("dead-letter", "inject, fail, inspect, fix, replay, verify");
        assertThat(terminal.run("scenario", "dead-letter", "--database", "oracle"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("it must be h2, postgres, mariadb").hasLineCount(1);
        assertThat(terminal.run("scenario", "dead-leter")).isEqualTo(2);
        assertThat(terminal.err()).contains("did you mean dead-letter?");
    }

    private Path logFolder() {
        return Path.of(terminal.out().replaceFirst("(?s).*log in (\\S+)/waybill.log.*", "$1"));
    }
}
