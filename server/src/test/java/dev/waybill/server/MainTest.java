package dev.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final RecordedTerminal terminal = new RecordedTerminal();

    @Test
    void withoutArgumentsItShowsTheCommands() {
        assertThat(terminal.run()).isZero();
        assertThat(terminal.out())
                .contains("demo", "scenario", "sim", "relay", "ops")
                .doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "relay"})
    void everyCommandExplainsItself(String command) {
        assertThat(terminal.run(command, "--help")).isZero();
        assertThat(terminal.out()).contains("Usage: waybill " + command, "--database", "--help");
    }

    @Test
    void anUnknownCommandIsAnsweredWithTheNearestOne() {
        assertThat(terminal.run("dmeo")).isEqualTo(2);
        assertThat(terminal.err()).contains("unknown command dmeo; did you mean demo?");
    }

    @Test
    void aCommandThatResemblesNoneGetsNoSuggestion() {
        assertThat(terminal.run("xyzzy")).isEqualTo(2);
        assertThat(terminal.err()).contains("unknown command xyzzy.").doesNotContain("did you mean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rat", "--rat=5", "--raet"})
    void anUnknownOptionIsAnsweredWithTheNearestOne(String option) {
        assertThat(terminal.run("demo", option)).isEqualTo(2);
        assertThat(terminal.err()).contains("waybill demo: unknown option " + name(option), "did you mean --rate?");
    }

    @Test
    void anUnexpectedArgumentIsNamed() {
        assertThat(terminal.run("demo", "fast")).isEqualTo(2);
        assertThat(terminal.err()).contains("waybill demo: unexpected argument fast");
    }

    @ParameterizedTest
    @ValueSource(strings = {"30", "s", "1.5s", "-3s", "3 s", ""})
    void whatIsNoDurationIsRefusedWithExamples(String text) {
        assertThat(terminal.run("demo", "--for=" + text)).isEqualTo(2);
        assertThat(terminal.err()).contains("--for", "500ms, 30s, 2m or 1h");
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
                "--brokers=localhost:9092",
                "--metrics-port=70000",
                "--metrics-port=-2",
                "--no-metrics --metrics-port=1",
                "--retention=tomorrow",
                "--retention=99999999h"
            })
    void whatTheDemoCannotDoIsRefused(String options) {
        assertThat(terminal.run(("demo --for=1s " + options).split(" ", -1))).isEqualTo(2);
        assertThat(terminal.err()).contains(name(options.split(" ", -1)[0])).doesNotContain("Exception");
    }

    @Test
    void aNumberThatIsNoneIsRefused() {
        assertThat(terminal.run("demo", "--rate", "fast")).isEqualTo(2);
        assertThat(terminal.err()).contains("--rate", "fast");
    }

    @Test
    void anOptionWithoutItsValueIsRefused() {
        assertThat(terminal.run("demo", "--rate")).isEqualTo(2);
        assertThat(terminal.err()).contains("--rate");
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

    @Test
    void aRelayNeedsADatabaseAndARoute() {
        assertThat(terminal.run("relay")).isEqualTo(2);
        assertThat(terminal.err()).contains("--database", "--route");
    }

    @Test
    void aRelayRefusesATransportThatItDoesNotHave() {
        assertThat(terminal.run("relay", "--database", "jdbc:h2:mem:x", "--route", "orders=pigeon"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("pigeon", "log");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--route orders | <destination>=<transport>",
                "--route orders= | <destination>=<transport>",
                "--route =log | <destination>=<transport>",
                "--route orders=kafka | needs --brokers",
                "--route orders=log --brokers x:1 | --brokers is for routes to kafka",
                "--route a/b=kafka --brokers x:1 | which Kafka does not allow",
                "--route orders=log --rate orders=0 | whole number from 1 on",
                "--route orders=log --rate orders=fast | whole number from 1 on",
                "--route orders=log --rate mail=5 | without a --route",
                "--route orders=log --metrics-port 70000 | --metrics-port",
                "--route orders=log --retention 99999999h | retention"
            })
    void aRelayRefusesWhatItCannotDo(String options, String answer) {
        assertThat(terminal.run(("relay --database jdbc:h2:mem:x " + options).split(" ", -1)))
                .isEqualTo(2);
        assertThat(terminal.err()).contains(answer).doesNotContain("Exception");
    }

    private static String name(String option) {
        return option.replaceFirst("=.*", "");
    }
}
