package dev.waybill.chaos.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that can be killed, paused and resumed. Thread-safe. */
final class ChildProcess {
    private final Process process;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

    /** Starts it; what it says on standard error goes to the log, behind what is there. */
    ChildProcess(List<String> command, Path log, String readyLine) {
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("A process could not be started: " + command.get(0), e);
        }
        Thread reader = new Thread(() -> read(readyLine), "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read(String readyLine) {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            lines.lines().filter(readyLine::equals).forEach(line -> ready.complete(true));
        } catch (IOException | UncheckedIOException e) {
            // It has ended.
        } finally {
            ready.complete(false);
        }
    }

    /** Whether it says that it works, before it ends and before the time is over. */
    boolean awaitReady(Duration patience) {
        try {
            return ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL and waits for the end. */
    void kill() {
        process.destroyForcibly();
        await(Duration.ofSeconds(10));
    }

    /** Closes its standard input, at which it ends; kills it if it does not. Tells whether it ended by itself. */
    boolean end(Duration patience) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended.
        }
        boolean ended = await(patience);
        if (!ended) {
            kill();
        }
        return ended;
    }

    void pause() {
        Signals.send("STOP", List.of(process.pid()));
    }

    void resume() {
        Signals.send("CONT", List.of(process.pid()));
    }

    private boolean await(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
