package dev.waybill.chaos.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.testkit.kafka.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private static final int SHORT_MILLIS = 300;

    private ServerSocket echo;
    private TcpProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        ProxiedConnection.daemon(this::serve, "echo");
        proxy = TcpProxy.start(FreePorts.next(), echo.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    void whatGoesThroughAWholeNetworkArrives() throws IOException {
        try (Socket client = connect()) {
            assertThat(exchange(client, 10_000)).isEqualTo(10_000);
        }
    }

    @Test
    void aResetEndsConnectionsAndNewOnesUntilItIsHealed() throws IOException {
        try (Socket client = connect()) {
            exchange(client, 1);
            proxy.begin(Trouble.RESET, 0);
            assertThatThrownBy(() -> exchange(client, 1)).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> {
                        try (Socket other = connect()) {
                            exchange(other, 1);
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
        proxy.heal();
        try (Socket client = connect()) {
            assertThat(exchange(client, 1)).isEqualTo(1);
        }
    }

    @Test
    void aConnectionThatWasInABlackHoleStaysDeadWithoutAWord() throws IOException {
        try (Socket client = connect()) {
            exchange(client, 1);
            proxy.begin(Trouble.BLACK_HOLE, 0);
            client.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> exchange(client, 1)).isInstanceOf(SocketTimeoutException.class);
            proxy.heal();
            assertThatThrownBy(() -> exchange(client, 1)).isInstanceOf(SocketTimeoutException.class);
        }
        try (Socket client = connect()) {
            assertThat(exchange(client, 1)).isEqualTo(1);
        }
    }

    @Test
    void requestsArriveWhoseAnswersAreLost() throws Exception {
        try (Socket client = connect();
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpProxy other = TcpProxy.start(FreePorts.next(), server.getLocalPort());
                Socket through = new Socket(InetAddress.getLoopbackAddress(), other.port());
                Socket accepted = server.accept()) {
            exchange(client, 1);
            through.getOutputStream().write(1);
            assertThat(accepted.getInputStream().read()).isEqualTo(1);
            other.begin(Trouble.ONE_WAY, 0);
            through.getOutputStream().write(7);
            assertThat(accepted.getInputStream().read()).isEqualTo(7);
            accepted.getOutputStream().write(8);
            through.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> through.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void latencyIsAddedInBothDirections() throws IOException {
        try (Socket client = connect()) {
            exchange(client, 1);
            proxy.begin(Trouble.LATENCY, 100);
            long start = System.nanoTime();
            exchange(client, 1);
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(200);
        }
    }

    @RepeatedTest(50)
    void aConnectionIsCutInTheMiddleAndCounted() throws IOException {
        proxy.begin(Trouble.CUT_AFTER, 1_000);
        try (Socket client = connect()) {
            assertThat(exchange(client, 100)).isEqualTo(100);
            assertThatThrownBy(() -> {
                        while (true) {
                            exchange(client, 300);
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
        assertThat(proxy.heal()).isEqualTo(1);
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    /** Sends so many bytes and returns how many came back before the end. */
    private static int exchange(Socket client, int bytes) throws IOException {
        byte[] sent = new byte[bytes];
        Arrays.fill(sent, (byte) 5);
        client.getOutputStream().write(sent);
        int back = 0;
        while (back < bytes) {
            int read = client.getInputStream().read(sent);
            if (read < 0) {
                throw new SocketException("closed");
            }
            back += read;
        }
        return back;
    }

    private void serve() {
        while (!echo.isClosed()) {
            try {
                Socket one = echo.accept();
                ProxiedConnection.daemon(() -> echo(one), "echo-one");
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // The proxy has broken it.
        }
    }
}
