package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoArgumentsTest {
    private final RecordedTerminal terminal = new RecordedTerminal();

    @Test
    void itIsTheFirstOfTheCommands() {
        assertThat(terminal.run()).isZero();
        assertThat(terminal.out()).containsSubsequence("demo", "scenario", "sim", "relay", "ops");
    }

    @Test
    void itExplainsItself() {
        assertThat(terminal.run("demo", "--help")).isZero();
        assertThat(terminal.out())
                .contains(
                        "Usage: waybill demo",
                        "--database",
                        "--transport",
                        "--kafka",
                        "--brokers",
                        "--rate",
                        "--relays")
                .contains("--keys", "--chaos", "--faults", "--for", "--retention", "--metrics-port", "--json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rat", "--rat=5", "--raet"})
    void anUnknownOptionIsAnsweredWithTheNearestOne(String option) {
        assertThat(terminal.run("demo", option)).isEqualTo(2);
        assertThat(terminal.err()).contains("waybill demo: unknown option " + name(option), "did you mean --rate?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rate=0", "--rate=-1", "--relays=0", "--relays=65", "--keys=0", "--for=0s"})
    void numbersOutOfRangeAreRefused(String option) {
        assertThat(terminal.run("demo", option)).isEqualTo(2);
        assertThat(terminal.err()).contains(name(option)).doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--transport=pigeon",
                "--kafka --transport=in-process",
                "--brokers=localhost:9092",
                "--metrics-port=70000",
                "--metrics-port=-2",
                "--no-metrics --metrics-port=1",
                "--retention=tomorrow",
                "--retention=99999999h",
                "--rate=fast"
            })
    void whatItCannotDoIsRefused(String options) {
        assertThat(terminal.run(("demo --for=1s " + options).split(" ", -1))).isEqualTo(2);
        assertThat(terminal.err()).contains(name(options.split(" ", -1)[0])).doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "oracle",
                "jdbc:nonsense:x",
                "jdbc:postgresql://localhost:1/none",
                "jdbc:h2:tcp://localhost:1/none?password=secret"
            })
    void aDatabaseThatCannotBeReachedIsOneClearLine(String database) {
        assertThat(terminal.run("demo", "--database", database, "--for", "1s")).isEqualTo(2);
        assertThat(terminal.err().lines()).hasSize(1);
        assertThat(terminal.err()).startsWith("waybill demo: ").doesNotContain("secret");
    }

    @Test
    void aReportThatCannotBeWrittenIsRefusedBeforeTheRun(@TempDir Path folder) {
        Path file = folder.resolve("missing").resolve("report.json");
        assertThat(terminal.run("demo", "--json", file.toString())).isEqualTo(2);
        assertThat(terminal.err()).contains("cannot write --json " + file);
        assertThat(terminal.out()).isEmpty();
    }

    private static String name(String option) {
        return option.replaceFirst("=.*", "");
    }
}
