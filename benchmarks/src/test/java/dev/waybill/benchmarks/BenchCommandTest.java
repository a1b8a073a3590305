package dev.waybill.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.benchmarks.scenario.Scenarios;
import dev.waybill.server.Main;
import dev.waybill.server.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class BenchCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helpNamesEveryScenario() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(UTF_8)).contains(Scenarios.names()).contains("--quick", "--peers", "--json", "--svg");
    }

    @Test
    void anUnknownScenarioIsRefusedWithThoseThatThereAre() {
        assertThat(run("drain", "drian")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("there is no scenario 'drian'").contains("write, drain, latency");
    }

    @Test
    void quickAndFullExcludeEachOther() {
        assertThat(run("--quick", "--full")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("give either --quick or --full");
    }

    @Test
    void peersNeedTheirClassPath() {
        assertThat(run("drain", "--peers")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("./waybill bench --peers");
    }

    @Test
    void aFileThatCannotBeWrittenIsFoundBeforeTheRun() {
        assertThat(run("drain", "--json", "/no/such/folder/x.json")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("cannot write --json");
    }

    @Test
    void aFolderThatIsMissingIsFoundBeforeTheRun() {
        assertThat(run("drain", "--svg", "/no/such/folder")).isEqualTo(2);
        assertThat(run("drain", "--markdown", "/no/such/folder/x.md")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("cannot write --svg").contains("cannot write --markdown");
    }

    private int run(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "bench";
        System.arraycopy(args, 0, all, 1, args.length);
        return Main.run(Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)), all);
    }
}
