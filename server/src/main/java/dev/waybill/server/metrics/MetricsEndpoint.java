package dev.waybill.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.waybill.server.cli.UsageException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the meters of this process to Prometheus at {@code /metrics}, until closed. Thread-safe. */
public final class MetricsEndpoint implements AutoCloseable {
    /** The port that Prometheus exporters of OpenTelemetry use, and nobody else. */
    public static final int USUAL_PORT = 9464;

    private static final String PATH = "/metrics";
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "waybill-metrics");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpServer server;

    private MetricsEndpoint(InetSocketAddress address) throws IOException {
        server = HttpServer.create(address, 0);
        server.createContext("/", this::answer);
        server.setExecutor(executor);
        server.start();
    }

    /** On a port that the user named; 0: any free one. */
    public static MetricsEndpoint open(String host, int port) {
        try {
            return new MetricsEndpoint(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (IOException e) {
            throw new UsageException("cannot serve metrics on " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /** On the usual port of the loopback interface if it is free, else on any. */
    public static MetricsEndpoint openAnywhere() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try {
            return new MetricsEndpoint(new InetSocketAddress(loopback, USUAL_PORT));
        } catch (IOException taken) {
            return open(loopback.getHostAddress(), 0);
        }
    }

    public MeterRegistry registry() {
        return registry;
    }

    public String url() {
        InetSocketAddress address = server.getAddress();
        return "http://" + address.getAddress().getHostAddress() + ":" + address.getPort() + PATH;
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
        registry.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            if (!exchange.getRequestURI().getPath().equals(PATH)) {
                send(exchange, 404, PLAIN, "The meters are at " + PATH + "\n");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, PLAIN, "Only GET is allowed here\n");
            } else {
                send(exchange, 200, TEXT_FORMAT, registry.scrape());
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
