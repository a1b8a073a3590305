package dev.waybill.spring.tests;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Empty databases, each for one context; the server is one for the JVM. Thread-safe. */
final class Databases {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Databases() {}

    /** Loaded with the first database. */
    private static final class Server {
        private static final EmbeddedPostgres POSTGRES = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static String h2() {
        return "jdbc:h2:mem:app" + COUNT.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
    }

    static String postgres() {
        String name = "app" + COUNT.incrementAndGet();
        try (Connection connection = Server.POSTGRES.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return Server.POSTGRES.getJdbcUrl("postgres", name);
    }
}
