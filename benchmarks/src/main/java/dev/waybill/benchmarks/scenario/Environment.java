package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.report.Report;
import java.util.List;

/** What a run ran on, and that the database keeps what it acknowledges. */
final class Environment {
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");
    private static final List<String> SHOWN =
            List.of("fsync", "synchronous_commit", "full_page_writes", "wal_level", "shared_buffers", "max_wal_size");

    private Environment() {}

    static void describe(Report report, Server server) {
        report.environment(
                "machine",
                Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch"));
        report.environment("Java", Runtime.version() + ", " + System.getProperty("java.vm.name"));
        report.environment("database", "PostgreSQL " + server.setting("server_version") + ", on the same machine");
        for (String name : SHOWN) {
            report.environment(name, server.setting(name));
        }
        for (String name : DURABLE) {
            if (!server.setting(name).equals("on")) {
                throw new IllegalStateException(name + " is off: figures of such a database mean nothing");
            }
        }
        report.environment(
                "load", Sizes.WRITERS + " writers, " + Sizes.KEYS + " keys, payload " + Sizes.PAYLOAD + " bytes");
    }
}
