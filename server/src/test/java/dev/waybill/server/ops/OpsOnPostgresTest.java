package dev.waybill.server.ops;

import dev.waybill.server.cli.Pools;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class OpsOnPostgresTest extends OpsScenarios {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Override
    Pools.Target freshDatabase() throws SQLException {
        String name = "outbox_" + DATABASES.incrementAndGet();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return new Pools.Target(server.getJdbcUrl("postgres", name), "postgres", null);
    }
}
