package dev.waybill.chaos.stage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database server that is a command: started, killed and started again. Thread-safe. */
abstract class ProcessServer implements DatabaseServer {
    static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(15);

    private final List<String> command;
    private final String signal;
    private final Path log;
    private final int port;
    private @Nullable ServerProcess process;

    /**
     * Does not start it yet.
     *
     * @param signal at which it ends in an orderly way, and soon
     */
    ProcessServer(List<String> command, String signal, Path log, int port) {
        this.command = List.copyOf(command);
        this.signal = signal;
        this.log = log;
        this.port = port;
    }

    @Override
    public synchronized void start() {
        Servers.await(description(), this::launchAndConnect, START);
    }

    /** It ends at once while a process of the server before holds its files: then again. */
    private boolean launchAndConnect() {
        ServerProcess running = process;
        if (running == null || !running.isAlive()) {
            process = new ServerProcess(command, signal, log);
        }
        return Servers.accepts(target());
    }

    @Override
    public synchronized void kill() {
        ServerProcess running = process;
        process = null;
        if (running != null) {
            running.kill();
        }
    }

    @Override
    public synchronized void close() {
        ServerProcess running = process;
        process = null;
        if (running != null) {
            running.end(STOP);
        }
    }

    @Override
    public int port() {
        return port;
    }
}
