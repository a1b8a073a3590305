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
                "--without crashes     | --without, --writers, --relays and --seconds need a --seed.",
                "--seed 1 --without fun | --without knows no \"fun\", but [consumers, ",
                "--bug fence           | --bug and --known need --mutants.",
                "--mutants --seed 1    | --mutants does not go together with --seed or --resume.",
                "--mutants --bug swarm | No planted bug has \"swarm\" in its name.",
                "--from 9223372036854775807 --seeds 2 | There are no 2 seeds from 9223372036854775807 on.",
            })
    void wrongArgumentsAreExplained(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(output()).startsWith(message).contains("Usage: waybill sim");
    }

    @Test
    void helpShowsTheOptions() {
        assertThat(run("--help")).isZero();
        assertThat(output()).contains("--seeds", "--from", "--seed ", "--json", "--resume", "--mutants", "--without");
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
    void aRunGoesOnWhereAnotherOneEnded(@TempDir Path folder) throws IOException {
        Path state = folder.resolve("state");
        Path figures = folder.resolve("figures.json");
        Path atOnce = folder.resolve("at-once.json");
        assertThat(run("--seeds", "3", "--from", "100", "--resume", state.toString()))
                .isZero();
        assertThat(run("--seeds", "2", "--resume", state.toString(), "--json", figures.toString()))
                .isZero();
        assertThat(output()).contains("From seed 100:", "From seed 103:", "5 seeds in");
        assertThat(run("--seeds", "5", "--from", "100", "--json", atOnce.toString()))
                .isZero();
        assertThat(withoutSeconds(figures)).isEqualTo(withoutSeconds(atOnce));
    }

    private static String withoutSeconds(Path figures) throws IOException {
        return Files.readString(figures).replaceAll("\"seconds\": .*", "");
    }

    @Test
    void aStateThatMakesNoSenseIsNotResumed(@TempDir Path folder) throws IOException {
        Path state = Files.writeString(folder.resolve("state"), "next = soon");
        assertThat(run("--resume", state.toString())).isEqualTo(2);
        assertThat(output()).contains("Cannot resume what is in " + state);
        assertThat(run("--resume", state.toString(), "--from", "7")).isEqualTo(2);
        assertThat(output()).contains("--from does not go together with it");
    }

    @Test
    void aRandomStartIsPrinted() {
        assertThat(run("--seeds", "1", "--from", "random")).as(output()).isZero();
        assertThat(output()).containsPattern("From seed \\d{7,9}:");
    }

    @Test
    void aPlantedBugIsCaughtAndTold(@TempDir Path folder) throws IOException {
        Path figures = folder.resolve("bugs.json");
        int code = run("--mutants", "--bug", "a savepoint takes back", "--json", figures.toString());

        assertThat(code).as(output()).isZero();
        assertThat(output()).containsPattern("\\| 2 \\| what a savepoint takes back is stored \\| \\d+ \\| .* ghosts");
        assertThat(output()).contains("1 of 1 planted bugs were caught");
        assertThat(Files.readString(figures)).contains("\"planted\": 1", "\"caught\": 1");
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
