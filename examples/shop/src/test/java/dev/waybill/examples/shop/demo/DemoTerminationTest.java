package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.server.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What SIGTERM and Ctrl-C do, in a process of its own. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no signal that a process could answer")
class DemoTerminationTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void aDemoThatIsToldToEndStillDrainsAndJudges() throws Exception {
        Path json = folder.resolve("report.json");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=logback.xml",
                Main.class.getName(),
                "demo",
                "--rate",
                "20",
                "--json",
                json.toString());
        Process demo = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        try {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(output()).containsPattern("delivered [1-9]"));
            demo.destroy();
            assertThat(demo.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            demo.destroyForcibly();
        }
        assertThat(output()).contains("Every committed order took effect once in every service");
        assertThat(demo.exitValue()).isZero();
        assertThat(json).content().contains("\"holds\" : true");
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }
}
