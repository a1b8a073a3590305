package dev.waybill.server.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits, for a person or for a condition, until somebody stops it. */
final class Pace {
    private static final Duration LOOK = Duration.ofMillis(5);

    private final BufferedReader typed;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private boolean ended;

    Pace(InputStream in) {
        typed = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset()));
    }

    /** From any thread. */
    void stop() {
        stopped.complete(null);
    }

    boolean isStopped() {
        return stopped.isDone();
    }

    /** Waits for a line of input; at the end of the input not any more. */
    void awaitEnter() {
        if (ended) {
            return;
        }
        // Reading cannot be interrupted: a thread of its own may stay behind, and does not keep the process.
        CompletableFuture<Boolean> line = new CompletableFuture<>();
        Thread reader = new Thread(() -> line.complete(readLine()), "scenario-input");
        reader.setDaemon(true);
        reader.start();
        CompletableFuture.anyOf(line, stopped).join();
        requireGoing();
        ended = !line.join();
    }

    private boolean readLine() {
        try {
            return typed.readLine() != null;
        } catch (IOException e) {
            return false;
        }
    }

    /** Looks again and again; tells whether it became true in time. */
    boolean until(BooleanSupplier condition, Duration patience) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > patience.toNanos()) {
                return false;
            }
            rest();
            requireGoing();
        }
        return true;
    }

    private static void rest() {
        try {
            boolean unused = new CountDownLatch(1).await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }

    private void requireGoing() {
        if (isStopped()) {
            throw new StoppedException();
        }
    }
}
