package dev.waybill.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.Main;
import dev.waybill.server.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ChaosCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void theHelpNamesTheFaults() {
        assertThat(run("chaos", "--help")).isZero();
        assertThat(out.toString(UTF_8)).contains("--minutes", "--seed", "RELAY_KILL", "Exit code");
    }

    @Test
    void aScheduleIsPrintedAndRepeatedByItsSeed() {
        assertThat(run("chaos", "--schedule", "--seed", "5", "--minutes", "2")).isZero();
        String once = out.toString(UTF_8);
        out.reset();
        assertThat(run("chaos", "--schedule", "--seed", "5", "--seconds", "120"))
                .isZero();
        assertThat(out.toString(UTF_8)).isEqualTo(once).contains("relay killed");
    }

    @Test
    void wrongUsageIsToldBeforeAnythingIsStarted() {
        assertThat(run("chaos", "--minutes", "1", "--seconds", "60")).isEqualTo(2);
        assertThat(run("chaos", "--seconds", "3")).isEqualTo(2);
        assertThat(run("chaos", "--relays", "1")).isEqualTo(2);
        assertThat(run("chaos", "--only", "relay_kill", "--without", "writer_kill"))
                .isEqualTo(2);
        assertThat(run("chaos", "--svg", "no-such-folder/picture.svg")).isEqualTo(2);
        assertThat(run("chaos", "--only", "earthquake")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("either --minutes or --seconds", "no folder", "earthquake");
    }

    @Test
    void aDiskIsFilledOnlyIfThatIsAskedFor() {
        assertThat(run("chaos", "--schedule", "--seed", "7")).isZero();
        String without = out.toString(UTF_8);
        assertThat(run("chaos", "--schedule", "--seed", "7", "--full-disk")).isZero();
        assertThat(without).contains("database killed").doesNotContain("disk");
        assertThat(out.toString(UTF_8)).contains("disk of the database full");
    }

    private int run(String... args) {
        return Main.run(Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)), args);
    }
}
