package dev.waybill.chaos.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between clients and a server of this machine, and breaks what goes through it on demand. Thread-safe.
 *
 * <p>Two threads for each connection, which end with it.
 */
public final class TcpProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TcpProxy.class);
    private static final int CONNECT_MILLIS = 1_000;
    private static final int BACKLOG = 100;

    /** What is wrong at the moment. */
    record Weather(Trouble trouble, int amount) {}

    private final ServerSocket server;
    private final InetSocketAddress upstream;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile @Nullable Weather weather;

    private TcpProxy(ServerSocket server, InetSocketAddress upstream) {
        this.server = server;
        this.upstream = upstream;
    }

    /** Starts one, on a port of its own, for a server that need not run yet. */
    public static TcpProxy start(int port, int upstreamPort) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocket server = new ServerSocket(port, BACKLOG, loopback);
        TcpProxy proxy = new TcpProxy(server, new InetSocketAddress(loopback, upstreamPort));
        ProxiedConnection.daemon(proxy::accept, "proxy-" + port);
        return proxy;
    }

    public int port() {
        return server.getLocalPort();
    }

    /**
     * Breaks the network until {@link #heal}.
     *
     * @param amount milliseconds of latency, or bytes before a cut
     */
    public void begin(Trouble trouble, int amount) {
        cuts.set(0);
        Weather next = new Weather(trouble, amount);
        weather = next;
        connections.forEach(connection -> connection.meet(next));
    }

    /** New connections are whole from now on, and those that are not dead. Tells how many were cut by a number of bytes. */
    public int heal() {
        weather = null;
        connections.forEach(ProxiedConnection::calm);
        return cuts.get();
    }

    void ended(ProxiedConnection connection) {
        connections.remove(connection);
    }

    void cut() {
        cuts.incrementAndGet();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                open(server.accept());
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOG.debug("A connection could not be accepted", e);
                }
            }
        }
    }

    private void open(Socket client) throws IOException {
        Weather now = weather;
        Socket target = new Socket();
        ProxiedConnection connection = new ProxiedConnection(this, client, target);
        if (now != null && now.trouble() == Trouble.RESET) {
            connection.reset();
            return;
        }
        try {
            target.connect(upstream, CONNECT_MILLIS);
        } catch (IOException e) {
            connection.reset();
            return;
        }
        client.setTcpNoDelay(true);
        target.setTcpNoDelay(true);
        connections.add(connection);
        // Read again: a trouble that began since then has not met this connection.
        Weather meanwhile = weather;
        if (meanwhile != null) {
            connection.meet(meanwhile);
        }
        connection.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("The proxy did not close cleanly", e);
        }
        connections.forEach(ProxiedConnection::reset);
    }
}
