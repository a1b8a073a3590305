package dev.waybill.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    Path folder;

    @Test
    void itAnswersWhatItIsAskedAndSaysWhatItCannot() throws IOException {
        try (Worker worker = start(WorkerMain.class.getName())) {
            assertThat(worker.call(Words.of("do", "names"), PATIENCE).text("names"))
                    .contains("Waybill", "raw JDBC");
            assertThatThrownBy(() -> worker.call(Words.of("do", "dance"), PATIENCE))
                    .isInstanceOf(WorkerException.class)
                    .hasMessageContaining("Nobody knows how to do 'dance'");
            assertThatThrownBy(() -> worker.call(Words.of("do", "install"), PATIENCE))
                    .hasMessageContaining("There is no contender yet");
            Words wrong = Station.site(Words.of("do", "create").with("contender", "nobody"), Sites.NOWHERE);
            assertThatThrownBy(() -> worker.call(wrong, PATIENCE))
                    .hasMessageContaining("There is no contender 'nobody'");
        }
    }

    @Test
    void aWorkerThatDiesFailsWithItsExitCodeAndTheEndOfItsLog() throws IOException {
        try (Worker worker = start(FakeWorker.class.getName(), "die")) {
            assertThatThrownBy(() -> worker.call(Words.of("do", "install"), PATIENCE))
                    .isInstanceOf(WorkerException.class)
                    .hasMessageContaining("exit code 7")
                    .hasMessageContaining("the last words");
        }
    }

    @Test
    void whoIsAskedAfterItsEndFailsAtOnce() throws IOException {
        try (Worker worker = start(FakeWorker.class.getName(), "die")) {
            assertThatThrownBy(() -> worker.call(Words.of("do", "install"), PATIENCE))
                    .isInstanceOf(WorkerException.class);
            assertThatThrownBy(() -> worker.call(Words.of("do", "install"), PATIENCE))
                    .isInstanceOf(WorkerException.class);
        }
    }

    @Test
    void rubbishIsNoAnswer() throws IOException {
        try (Worker worker = start(FakeWorker.class.getName(), "rubbish")) {
            assertThatThrownBy(() -> worker.call(Words.of("do", "install"), PATIENCE))
                    .isInstanceOf(WorkerException.class)
                    .hasMessageContaining("said 'what?', which is no answer");
        }
    }

    @Test
    void whoDoesNotAnswerIsEnded() throws IOException {
        try (Worker worker = start(FakeWorker.class.getName(), "sleep")) {
            assertThatThrownBy(() -> worker.call(Words.of("do", "install"), Duration.ofMillis(300)))
                    .isInstanceOf(WorkerException.class)
                    .hasMessageContaining("did not install within");
        }
    }

    private Worker start(String... main) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx64m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(main));
        return Worker.start("test", command, folder.resolve("log"));
    }
}
