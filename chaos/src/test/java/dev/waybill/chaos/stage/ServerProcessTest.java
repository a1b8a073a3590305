package dev.waybill.chaos.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @Test
    void aServerIsToldToEndWhenTheInputOfItsShellEnds() throws Exception {
        Path log = folder.resolve("log");
        ServerProcess server = start(log, "trap 'echo told; exit' TERM; echo started; while :; do sleep 0.1; done");
        await().atMost(PATIENCE)
                .until(() -> Files.exists(log) && Files.readString(log).contains("started"));

        server.end(PATIENCE);

        assertThat(Files.readString(log)).contains("told");
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void aServerThatDoesNotListenIsKilled() {
        ServerProcess server = start(folder.resolve("log"), "trap '' TERM; while :; do sleep 0.1; done");

        server.end(Duration.ofMillis(500));

        await().atMost(PATIENCE).until(() -> !server.isAlive());
    }

    @Test
    void aServerThatEndsByItselfIsGone() {
        ServerProcess server = start(folder.resolve("log"), "exit 1");

        await().atMost(PATIENCE).until(() -> !server.isAlive());
    }

    private static ServerProcess start(Path log, String script) {
        return new ServerProcess(List.of("sh", "-c", script), "TERM", log);
    }
}
