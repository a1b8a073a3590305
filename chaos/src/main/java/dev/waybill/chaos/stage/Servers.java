package dev.waybill.chaos.stage;

import dev.waybill.server.cli.Pools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What servers of several processes have in common. */
final class Servers {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration END = Duration.ofSeconds(10);

    private Servers() {}

    static void awaitPort(String name, int port, Duration patience) {
        await(name, () -> listens(port), patience);
    }

    static void await(String name, BooleanSupplier there, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (!there.getAsBoolean()) {
            if (System.nanoTime() > end || Thread.interrupted()) {
                throw new IllegalStateException(name + " accepted no connections within " + patience);
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    static boolean accepts(Pools.Target target) {
        try (Connection connection = Pools.connect(target)) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Kills a process and all below it. Those of PostgreSQL are in sessions of their own, so that there is no group
     * of processes to kill, and a server does not start while one of its old processes is there.
     */
    static void kill(Process process) {
        List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
        process.descendants().forEach(all::add);
        Signals.send("KILL", all.stream().map(ProcessHandle::pid).toList());
        try {
            process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS);
            long end = System.nanoTime() + END.toNanos();
            while (all.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
