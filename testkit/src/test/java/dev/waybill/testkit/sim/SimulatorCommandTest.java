package dev.waybill.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class SimulatorCommandTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.waybill");

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOG.setLevel(null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--seeds               | Option --seeds needs a value.",
                "--seeds none          | --seeds needs a whole number, not \"none\".",
                "--seeds 0             | --seeds must be at least 1, not 0.",
                "--from 1.5            | --from needs a whole number",
                "--seed                | Option --seed needs a value.",
                "--seed 99999999999999999999 | --seed needs a whole number",
                "--json                | Option --json needs a value.",
                "--speed 3             | Unknown option --speed.",
                "10                    | Unknown option 10.",
                "--from 9223372036854775807 --seeds 2 | There are no 2 seeds from 9223372036854775807 on.",
            })
    void wrongArgumentsAreExplained(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(output()).startsWith(message).contains("Usage: waybill sim");
    }

    @Test
    void helpShowsTheOptions() {
        assertThat(run("--help")).isZero();
        assertThat(output()).contains("--seeds", "--from", "--seed ", "--json");
    }

    @Test
    void manySeedsGiveASummaryAndFigures(@TempDir Path folder) throws IOException {
        Path figures = folder.resolve("figures.json");
        int code = run("--seeds", "6", "--from", "100", "--json", figures.toString());

        assertThat(code).as(output()).isZero();
        assertThat(output()).contains("6 seeds in").contains("Every promise held");
        assertThat(Files.readString(figures))
                .startsWith("{\n  \"seeds\": 6,\n  \"failedSeeds\": 0,")
                .contains("\"longestRecoverySeconds\": ")
                .endsWith("\n}\n");
    }

    @Test
    void oneSeedIsShownStepByStep() {
        int code = run("--seed", "100");

        assertThat(code).as(output()).isZero();
        assertThat(output().lines())
                .anyMatch(line -> line.matches(" +\\d+\\.\\d{6}  relay-1 +starts as .*"))
                .anyMatch(line -> line.matches(" +\\d+\\.\\d{6}  writer-\\d +transaction \\d+ commits .*"))
                .anyMatch(line -> line.matches("Seed 100 held, trace [0-9a-f]{16}\\."));
    }

    @Test
    void figuresThatCannotBeWrittenAreAnErrorAndNotASilence(@TempDir Path folder) {
        assertThat(run("--seeds", "1", "--json", folder.toString())).isEqualTo(2);
        assertThat(output()).contains("Cannot write the figures to " + folder);
    }

    private int run(String... args) {
        return SimulatorCommand.run(args, new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    private String output() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
