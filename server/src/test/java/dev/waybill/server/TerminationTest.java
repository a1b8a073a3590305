package dev.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What SIGTERM and Ctrl-C do, in processes of their own. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no signal that a process could answer")
class TerminationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endWhatIsLeft() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void aScenarioThatIsToldToEndWhileItWaitsForEnterCleansUp() throws Exception {
        Process scenario = start("scenario", "dead-letter", "--guided");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(output()).contains("Enter to go on"));
        scenario.destroy();
        assertThat(scenario.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(output()).contains("Stopped; what the scenario made is removed.");
        assertThat(scenario.exitValue()).isEqualTo(1);
        Path log = Path.of(output().replaceFirst("(?s).*log in (\\S+).*", "$1"));
        assertThat(log.resolveSibling("shop.mv.db")).doesNotExist();
    }

    @Test
    void aRelayThatIsToldToEndSaysWhatWasSettled() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("outbox");
        Process relay = start("relay", "--database", url, "--user", "sa", "--route", "orders=log");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(output()).contains("started, owns 64 shards"));
        relay.destroy();
        assertThat(relay.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(output()).contains("stopped: 0 delivered", "everything on its way was settled");
        assertThat(relay.exitValue()).isZero();
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "-Dlogback.configurationFile=logback.xml"));
        command.add(Main.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        started.add(process);
        return process;
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }
}
