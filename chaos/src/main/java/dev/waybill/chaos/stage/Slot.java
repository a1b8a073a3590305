package dev.waybill.chaos.stage;

import dev.waybill.chaos.child.ChildMain;
import dev.waybill.chaos.clock.SteadyClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place in the fleet: one process after the other. Thread-safe.
 *
 * <p>A process that ends without being told to is started again after a moment, as every supervisor would.
 */
public final class Slot {
    private static final Logger LOG = LoggerFactory.getLogger(Slot.class);
    private static final long PAUSE_MILLIS = 500;
    private static final Duration LOOK = Duration.ofMillis(50);

    private final String name;
    private final Path log;
    private final Supplier<List<String>> command;
    private @Nullable ChildProcess process;
    private boolean wanted;
    private long notBefore;
    private int ownEnds;

    Slot(String name, Path log, Supplier<List<String>> command) {
        this.name = name;
        this.log = log;
        this.command = command;
    }

    /** The command of a child in a JVM of its own. */
    static List<String> java(String role, int heapMegabytes, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                // Many JVMs share few cores here, and each lives for seconds only.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                // Also below a test, whose own configuration would keep it quiet.
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                ChildMain.class.getName(),
                role));
        command.addAll(arguments);
        return command;
    }

    public synchronized void start() {
        wanted = true;
        notBefore = 0;
        ChildProcess running = process;
        if (running == null || !running.isAlive()) {
            process = new ChildProcess(command.get(), log, ChildMain.READY);
        }
    }

    public void startAndAwait(Duration patience) {
        start();
        awaitReady(patience);
    }

    /**
     * Waits until its process works; when that ends on its way, for the next one.
     *
     * @throws IllegalStateException if it takes too long
     */
    public void awaitReady(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < end) {
            ChildProcess one = current();
            if (one != null && one.awaitReady(LOOK) && one.isAlive()) {
                return;
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        throw new IllegalStateException(name + " did not start within " + patience + "; see " + log);
    }

    public synchronized void kill() {
        wanted = false;
        ChildProcess running = process;
        if (running != null) {
            running.kill();
        }
    }

    public synchronized void pause() {
        ChildProcess running = process;
        if (running != null) {
            running.pause();
        }
    }

    public synchronized void resume() {
        ChildProcess running = process;
        if (running != null) {
            running.resume();
        }
    }

    /** Lets it end by itself. */
    public void end(Duration patience) {
        ChildProcess running;
        synchronized (this) {
            wanted = false;
            running = process;
        }
        if (running != null && !running.end(patience)) {
            LOG.warn("{} did not end within {} and was killed", name, patience);
        }
    }

    /** Starts a process in place of one that ended by itself. */
    synchronized void supervise() {
        ChildProcess running = process;
        if (!wanted || running == null || running.isAlive()) {
            return;
        }
        long now = SteadyClock.millis();
        if (notBefore == 0) {
            ownEnds++;
            notBefore = now + PAUSE_MILLIS;
            LOG.warn("{} ended by itself; see {}", name, log);
        } else if (now >= notBefore) {
            start();
        }
    }

    /** How often a process ended without being told to. */
    public synchronized int ownEnds() {
        return ownEnds;
    }

    public String name() {
        return name;
    }

    private synchronized @Nullable ChildProcess current() {
        return process;
    }
}
