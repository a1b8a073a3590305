package dev.waybill.server.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;

/** Lets a command end in its own time, and with its own exit code, on Ctrl-C or SIGTERM. */
public final class Interruption {
    private static final int GAVE_UP = 1;

    private Interruption() {}

    /**
     * Runs a command on the calling thread. When the process is told to end meanwhile, {@code stop} is called from another
     * thread, and the process waits until the command has returned, at most for {@code patience}.
     */
    public static int guard(IntSupplier command, Runnable stop, Duration patience) {
        CompletableFuture<Integer> exitCode = new CompletableFuture<>();
        Thread hook = new Thread(() -> end(stop, exitCode, patience), "waybill-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int code = command.getAsInt();
            exitCode.complete(code);
            return code;
        } catch (RuntimeException | Error e) {
            exitCode.complete(GAVE_UP);
            throw e;
        } finally {
            remove(hook);
        }
    }

    /** Halts, because from within a shutdown that is the only way to say an exit code. */
    private static void end(Runnable stop, CompletableFuture<Integer> exitCode, Duration patience) {
        int code = GAVE_UP;
        try {
            stop.run();
            code = exitCode.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException | RuntimeException e) {
            // Whatever it was: the process was told to end, and ends now.
        } finally {
            System.out.flush();
            System.err.flush();
            Runtime.getRuntime().halt(code);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown has begun: the hook ends the process.
        }
    }
}
