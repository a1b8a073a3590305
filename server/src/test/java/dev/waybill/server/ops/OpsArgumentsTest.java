package dev.waybill.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.RecordedTerminal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a call is said before anything is connected. */
class OpsArgumentsTest {
    private static final String DATABASE = "--database=jdbc:h2:mem:nobody";

    private final RecordedTerminal terminal = new RecordedTerminal();

    @ParameterizedTest
    @ValueSource(strings = {"ops", "ops --help", "ops -h"})
    void itExplainsItself(String words) {
        assertThat(terminal.run(words.split(" ", -1))).isZero();
        assertThat(terminal.out())
                .contains("WAYBILL_DATABASE", "Dead letters:", "dead redrive", "keys skip", "replay start")
                .contains("At three in the morning:", "Exit code:")
                .doesNotContain("null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dead", "keys", "replay"})
    void aGroupExplainsItself(String group) {
        assertThat(terminal.run("ops", group)).isZero();
        assertThat(terminal.out()).contains("Usage: waybill ops " + group, "list");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status", "find", "audit", "dead list", "dead show", "dead redrive", "dead edit", "dead discard",
                "keys list", "keys release", "keys skip", "keys pause", "keys resume", "pause", "resume", "pauses",
                "cancel", "replay start", "replay list", "replay show", "replay pause", "replay resume", "replay cancel"
            })
    void everyCommandExplainsItself(String command) {
        String[] words = ("ops " + command + " --help").split(" ", -1);
        assertThat(terminal.run(words)).isZero();
        assertThat(terminal.out()).contains("Usage: waybill ops " + command, "--database", "--json");
    }

    @ParameterizedTest
    @CsvSource({
        "ops statsu, did you mean status?",
        "ops dead lsit, did you mean list?",
        "ops dead list --destinatoin=x, did you mean --destination?",
        "ops keys realease a b, did you mean release?",
        "ops replay strat, did you mean start?",
        "ops --database=x status, --database; it comes after the command"
    })
    void whatIsMisspeltIsAnsweredWithTheNearest(String typed, String answer) {
        assertThat(terminal.run(typed.split(" ", -1))).isEqualTo(2);
        assertThat(terminal.err()).contains(answer);
    }

    @Test
    void withoutADatabaseItAsksForOne() {
        assertThat(terminal.run("ops", "status")).isEqualTo(2);
        assertThat(terminal.err()).contains("--database <url>", "WAYBILL_DATABASE");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "find nonsense | 'nonsense' is not an id",
                "find 1-2-3-4-5 | is not an id",
                "find | Missing required parameter: '<event id>'",
                "cancel | Missing required parameter",
                "dead show | Missing required parameter: '<seq>'",
                "dead show x | 'x' is not a long",
                "dead list --limit 0 | --limit is 0",
                "dead list --limit 99999999 | from 1 to 10,000",
                "dead list --state gone | --state",
                "dead list --since yesterday | is not a time such as",
                "dead redrive | which ones?",
                "dead redrive 1 --all | either sequences, or --all",
                "dead redrive 1 --type x | either sequences, or --all",
                "dead redrive --all --yes | --why",
                "dead discard 1 | --why",
                "dead discard --why x | Missing required parameter",
                "dead edit 1 | what is to change?",
                "dead edit 1 --set-header x | <name>=<value>",
                "dead edit 1 --payload /no/such/file | cannot read --payload",
                "dead edit 1 --payload /dev/zero | has no end",
                "keys release orders | '<key>'",
                "keys list --limit -1 | --limit is -1",
                "pause | '<destination>'",
                "replay start | --from",
                "replay start --from 1h --to 2h | from must be before to",
                "replay start --from 1h --rate 0 | --rate is 0",
                "replay start --from 1h --yes | --why",
                "replay show | '<n>'",
                "audit --limit 0 | --limit is 0"
            })
    void wrongUsageIsOneClearLine(String words, String answer) {
        assertThat(terminal.run(("ops " + words + " " + DATABASE).split(" ", -1)))
                .isEqualTo(2);
        assertThat(terminal.err()).contains(answer).doesNotContain("Exception", "\tat ");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void whoDecidesHasAName() {
        assertThat(terminal.run("ops", "pause", "orders", DATABASE, "--by", "a\u001b[2Jb"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("name of who takes it").doesNotContain("\u001b");
    }

    @Test
    void namesOfTablesAreChecked() {
        assertThat(terminal.run("ops", "status", DATABASE, "--prefix", "x; DROP TABLE y"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("tablePrefix");
    }

    @Test
    void anAnswerThatCannotBeWrittenIsRefusedBeforeTheDecision(@TempDir Path folder) {
        Path file = folder.resolve("missing").resolve("answer.json");
        assertThat(terminal.run("ops", "pause", "orders", DATABASE, "--json", file.toString()))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("cannot write --json " + file);
    }

    @Test
    void aDatabaseFileThatIsNotThereIsNotMade(@TempDir Path folder) {
        assertThat(terminal.run("ops", "status", "--database", "jdbc:h2:file:" + folder.resolve("typo")))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("cannot connect");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatIsNotGivenComesFromTheEnvironment() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "WAYBILL_DATABASE", "jdbc:postgresql://host/db",
                "WAYBILL_USER", "operator",
                "WAYBILL_PASSWORD", "secret",
                "WAYBILL_SCHEMA", "shop",
                "WAYBILL_PREFIX", "x_"));
        DatabaseOptions options = new DatabaseOptions(environment::get);
        assertThat(options.target().url()).isEqualTo("jdbc:postgresql://host/db");
        assertThat(options.target().user()).isEqualTo("operator");
        assertThat(options.target().password()).isEqualTo("secret");
        assertThat(options.store().schema()).isEqualTo("shop");
        assertThat(options.store().tablePrefix()).isEqualTo("x_");
        options.user = "root";
        options.prefix = "y_";
        assertThat(options.target().user()).isEqualTo("root");
        assertThat(options.store().tablePrefix()).isEqualTo("y_");
        environment.put("WAYBILL_USER", "");
        options.user = null;
        assertThat(options.target().user()).isNull();
    }

    @Test
    void everyCommandHasItsLineInTheOverview() {
        terminal.run("ops");
        List<String> groups = List.of("dead", "keys", "replay");
        for (String group : groups) {
            RecordedTerminal help = new RecordedTerminal();
            help.run("ops", group);
            help.out()
                    .lines()
                    .filter(line -> line.matches("  [a-z]+ .*"))
                    .forEach(line -> assertThat(terminal.out())
                            .contains(group + " " + line.strip().split(" ", -1)[0]));
        }
    }
}
