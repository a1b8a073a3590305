package dev.waybill.chaos.proxy;

import dev.waybill.chaos.proxy.TcpProxy.Weather;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A connection through the proxy, and what the network does to it. Thread-safe. */
final class ProxiedConnection {
    private static final int BUFFER = 16 * 1024;

    private final TcpProxy proxy;
    private final Socket client;
    private final Socket target;
    private final AtomicInteger bytesLeft = new AtomicInteger();
    private volatile @Nullable Weather weather;
    // Bytes that were swallowed leave a hole in the stream, so that these never go back.
    private volatile boolean requestsLost;
    private volatile boolean answersLost;

    ProxiedConnection(TcpProxy proxy, Socket client, Socket target) {
        this.proxy = proxy;
        this.client = client;
        this.target = target;
    }

    static void daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    void start() {
        daemon(() -> pump(client, target, true), "proxy-requests");
        daemon(() -> pump(target, client, false), "proxy-answers");
    }

    void meet(Weather next) {
        bytesLeft.set(next.amount());
        weather = next;
        switch (next.trouble()) {
            case RESET -> reset();
            case BLACK_HOLE -> {
                requestsLost = true;
                answersLost = true;
            }
            case ONE_WAY -> answersLost = true;
            default -> {}
        }
    }

    void calm() {
        weather = null;
    }

    private void pump(Socket from, Socket to, boolean requests) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!pass(out, buffer, read, requests)) {
                    return;
                }
            }
        } catch (IOException e) {
            // One side has broken the connection: the other side sees the same.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            reset();
        }
    }

    /** Whether the connection goes on. */
    private boolean pass(OutputStream out, byte[] buffer, int length, boolean requests)
            throws IOException, InterruptedException {
        Weather now = weather;
        if (now != null && now.trouble() == Trouble.LATENCY) {
            TimeUnit.MILLISECONDS.sleep(now.amount());
        }
        if (requests ? requestsLost : answersLost) {
            return true;
        }
        if (now != null && now.trouble() == Trouble.CUT_AFTER) {
            int left = bytesLeft.getAndAdd(-length);
            if (left <= 0) {
                // The other direction has passed the limit, and is about to end the connection.
                return true;
            }
            if (left <= length) {
                proxy.cut();
                out.write(buffer, 0, left);
                return false;
            }
        }
        out.write(buffer, 0, length);
        return true;
    }

    /** Ends both sides with an RST, as a host that is gone or a firewall would. */
    void reset() {
        proxy.ended(this);
        abort(client);
        abort(target);
    }

    private static void abort(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
        }
        try {
            socket.close();
        } catch (IOException e) {
            // Nobody is interested.
        }
    }
}
