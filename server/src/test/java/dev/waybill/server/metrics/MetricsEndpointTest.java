package dev.waybill.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.server.cli.UsageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class MetricsEndpointTest {
    private static final String LOOPBACK = "127.0.0.1";

    @Test
    void itServesTheMetersInPrometheusText() throws Exception {
        try (MetricsEndpoint endpoint = MetricsEndpoint.open(LOOPBACK, 0)) {
            endpoint.registry().counter("outbox.test", "destination", "orders").increment(7);
            HttpResponse<String> answer = get(endpoint.url());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(answer.body()).contains("outbox_test_total{destination=\"orders\"} 7.0");
        }
    }

    @Test
    void everythingElseIsRefused() throws Exception {
        try (MetricsEndpoint endpoint = MetricsEndpoint.open(LOOPBACK, 0)) {
            assertThat(get(endpoint.url() + "/../secret").statusCode()).isEqualTo(404);
            HttpRequest post = HttpRequest.newBuilder(URI.create(endpoint.url()))
                    .POST(BodyPublishers.ofString("x"))
                    .build();
            assertThat(send(post).statusCode()).isEqualTo(405);
        }
    }

    @Test
    void aPortThatIsTakenIsOneClearLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> MetricsEndpoint.open(LOOPBACK, taken.getLocalPort()))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("cannot serve metrics on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void whenTheUsualPortIsTakenAnotherOneIs() {
        try (MetricsEndpoint first = MetricsEndpoint.openAnywhere();
                MetricsEndpoint second = MetricsEndpoint.openAnywhere()) {
            assertThat(second.url()).isNotEqualTo(first.url());
        }
    }

    private static HttpResponse<String> get(String url) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(url)).build());
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
