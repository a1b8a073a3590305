package dev.waybill.spring.tests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with a real web server on a port of its own, and a client for it; a database in memory unless told. */
final class WebService implements AutoCloseable {
    /** Of both generations; none of these tests needs it, and it takes seconds. */
    private static final String JPA = "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
            + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration,"
            + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration";

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private WebService(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static WebService start(Class<?> application, String... settings) {
        Map<String, String> all = new LinkedHashMap<>();
        // Of an argument that is given twice, Spring Boot would make a list.
        Stream.concat(
                        Stream.of(
                                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                                "spring.autoconfigure.exclude=" + JPA,
                                "server.port=0",
                                "management.endpoints.web.exposure.include=*",
                                "management.endpoint.health.show-details=always",
                                "management.tracing.sampling.probability=1",
                                "management.otlp.metrics.export.enabled=false",
                                "waybill.retry.first-wait=10ms",
                                "waybill.inbox.first-wait=10ms"),
                        Stream.of(settings))
                .forEach(setting -> all.put(setting.substring(0, setting.indexOf('=')), setting));
        return new WebService(new SpringApplicationBuilder(application)
                .run(all.values().stream().map(setting -> "--" + setting).toArray(String[]::new)));
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Runs something in a transaction of the application. */
    void inTransaction(Runnable work) {
        new TransactionTemplate(bean(PlatformTransactionManager.class)).executeWithoutResult(status -> work.run());
    }

    /** A JSON document of the service. */
    JsonNode json(String path) {
        return json(get(path));
    }

    static JsonNode json(HttpResponse<String> response) {
        try {
            return new ObjectMapper().readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(response + ": " + response.body(), e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET().build());
    }

    HttpResponse<String> post(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(Duration.ofSeconds(30));
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(request + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
