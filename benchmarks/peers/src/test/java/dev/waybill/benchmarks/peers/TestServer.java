package dev.waybill.benchmarks.peers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;

/** A PostgreSQL as the benchmarks start it: durable, and with what logical decoding needs. */
final class TestServer {
    private TestServer() {}

    static EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("wal_level", "logical")
                .setServerConfig("max_connections", "200")
                .start();
    }
}
