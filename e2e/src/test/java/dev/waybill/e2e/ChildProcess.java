package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A Java process that prints lines for its parent; closing it kills it. */
final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    ChildProcess(Class<?> main, String... args) throws IOException {
        this(main.getSimpleName(), new ProcessBuilder(java(main, args)));
    }

    ChildProcess(String name, ProcessBuilder builder) throws IOException {
        process = builder.redirectError(Redirect.INHERIT).start();
        Thread reader = new Thread(this::read, "child-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private static List<String> java(Class<?> main, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(args));
        return command;
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("CLOSED " + e);
        }
    }

    String awaitLine(String start) {
        return awaitLine(start, Duration.ofSeconds(60));
    }

    /** Also ends when the process does, so that what it printed last is seen at once. */
    String awaitLine(String start, Duration patience) {
        await().atMost(patience).until(() -> !find(start).isEmpty() || !process.isAlive());
        await().atMost(Duration.ofSeconds(5))
                .alias(start + " in " + lines)
                .until(() -> !find(start).isEmpty());
        return find(start);
    }

    /** Presses Enter. */
    void enter() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    int exitCode(Duration patience) throws InterruptedException {
        assertThat(process.waitFor(patience.toSeconds(), TimeUnit.SECONDS))
                .as("ended within %s: %s", patience, lines)
                .isTrue();
        return process.exitValue();
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    private String find(String start) {
        return lines.stream().filter(line -> line.startsWith(start)).findFirst().orElse("");
    }

    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .redirectErrorStream(true)
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Sends SIGKILL and waits for the end. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
