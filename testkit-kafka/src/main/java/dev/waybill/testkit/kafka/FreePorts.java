package dev.waybill.testkit.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of this machine for servers that stop and start again. Thread-safe.
 *
 * <p>Below the range from which systems take the ports of outgoing connections. In that range another process may get
 * the port during an outage, and a client that tries to connect all the time may even reach itself.
 */
public final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES = 100;

    /** Given away by this JVM, and perhaps not yet in use. */
    private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** A port that nobody uses, and that this JVM has not got before. */
    public static int next() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (isFree(port) && TAKEN.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException(
                "No free port between " + LOWEST + " and " + HIGHEST + " after " + TRIES + " tries.");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
