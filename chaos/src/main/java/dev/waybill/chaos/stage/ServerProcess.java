package dev.waybill.chaos.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server of somebody else as a child process: told to end when this process ends, however it does. Thread-safe.
 *
 * <p>A shell stands between: it waits for the server, and for the end of its own standard input.
 */
final class ServerProcess {
    /** With a signal and the command; what runs in the background of a shell has no standard input unless it is told so. */
    private static final String WATCH = """
            signal=$1; shift; exec 3<&0
            "$@" </dev/null 3<&- & server=$!
            { read -r end <&3; kill -s "$signal" "$server"; } 2>/dev/null & watch=$!
            wait "$server"; kill "$watch" 2>/dev/null""";

    private final Process process;

    /**
     * Starts it.
     *
     * @param signal at which it ends in an orderly way, and soon
     */
    ServerProcess(List<String> command, String signal, Path log) {
        List<String> all = new ArrayList<>(List.of("sh", "-c", WATCH, "sh", signal));
        all.addAll(command);
        try {
            process = new ProcessBuilder(all)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("A server could not be started: " + command, e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL to all of its processes at once. */
    void kill() {
        Servers.kill(process);
    }

    /** Lets it end; kills it if it takes too long. */
    void end(Duration patience) {
        try {
            process.getOutputStream().close();
            if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (IOException e) {
            // It is about to end.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        kill();
    }
}
