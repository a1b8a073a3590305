package dev.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final RecordedTerminal terminal = new RecordedTerminal();

    @Test
    void withoutArgumentsItShowsTheCommands() {
        assertThat(terminal.run()).isZero();
        assertThat(terminal.out()).contains("scenario", "sim", "relay", "ops").doesNotContain("Exception");
    }

    @Test
    void aCommandExplainsItself() {
        assertThat(terminal.run("relay", "--help")).isZero();
        assertThat(terminal.out()).contains("Usage: waybill relay", "--database", "--help");
    }

    @Test
    void anUnknownCommandIsAnsweredWithTheNearestOne() {
        assertThat(terminal.run("realy")).isEqualTo(2);
        assertThat(terminal.err()).contains("unknown command realy; did you mean relay?");
    }

    @Test
    void aRefusalTakesOneLineWhateverWasTyped() {
        assertThat(terminal.run("re\nERROR forged\u001b[31m")).isEqualTo(2);
        assertThat(terminal.err()).contains("re\\nERROR forged\\x1b[31m");
        assertThat(terminal.run("ops", "pause", "orders", "--by", "a\nb", "--prefix", "c\nd"))
                .isEqualTo(2);
        assertThat(terminal.run("ops", "replay", "start", "--from", "a\nb")).isEqualTo(2);
        assertThat(terminal.err()).contains("a\\nb");
    }

    @Test
    void aCommandThatResemblesNoneGetsNoSuggestion() {
        assertThat(terminal.run("xyzzy")).isEqualTo(2);
        assertThat(terminal.err()).contains("unknown command xyzzy.").doesNotContain("did you mean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rout", "--rout=x=log", "--roaute"})
    void anUnknownOptionIsAnsweredWithTheNearestOne(String option) {
        assertThat(terminal.run("relay", "--database=jdbc:h2:mem:x", "--route=orders=log", option))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("waybill relay: unknown option " + name(option), "did you mean --route?");
    }

    @Test
    void anUnexpectedArgumentIsNamed() {
        assertThat(terminal.run("relay", "--database=jdbc:h2:mem:x", "--route=orders=log", "fast"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("waybill relay: unexpected argument fast");
    }

    @ParameterizedTest
    @ValueSource(strings = {"30", "s", "1.5s", "-3s", "3 s", ""})
    void whatIsNoDurationIsRefusedWithExamples(String text) {
        assertThat(terminal.run("relay", "--database=jdbc:h2:mem:x", "--route=orders=log", "--retention=" + text))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("--retention", "500ms, 30s, 2m or 1h");
    }

    @Test
    void anOptionWithoutItsValueIsRefused() {
        assertThat(terminal.run("relay", "--route")).isEqualTo(2);
        assertThat(terminal.err()).contains("--route");
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
                "--route orders=log --outbox shop | --outbox is for routes to kafka",
                "--route orders=kafka --brokers x:1 --outbox a/b | is not allowed",
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
