package dev.waybill.chaos.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.server.cli.Pools;
import dev.waybill.testkit.kafka.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL with fsync and synchronous commits, as processes of ours.
 *
 * <p>The library makes the cluster and starts it once; from then on its program is started directly, so that nobody else decides
 * when it ends.
 */
final class PostgresServer extends ProcessServer {
    private static final String USER = "postgres";
    private static final String SETTINGS = """

            fsync = on
            synchronous_commit = on
            full_page_writes = on
            listen_addresses = '127.0.0.1'
            max_connections = 100
            shared_buffers = 32MB
            """;

    private PostgresServer(Path data, Path program, Path log, int port) {
        // A fast shutdown: sessions that are left are ended.
        super(asUser(program.toString(), "-D", data.toString()), "INT", log, port);
    }

    /** Makes a cluster and starts it. */
    static PostgresServer create(Path folder, Path logs) {
        Path data = folder.resolve("postgres");
        int port = FreePorts.next();
        try {
            Path program = initialize(data, port);
            String settings = SETTINGS + "port = " + port + "\n";
            Files.writeString(data.resolve("postgresql.conf"), settings, UTF_8, StandardOpenOption.APPEND);
            sync(program, data);
            PostgresServer server = new PostgresServer(data, program, logs.resolve("postgres.log"), port);
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not start", e);
        }
    }

    /** Lets the library make a cluster, and finds out where it keeps the programs. */
    private static Path initialize(Path data, int port) throws IOException {
        EmbeddedPostgres first = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(port)
                .setPGStartupWait(START)
                .start();
        try {
            return programOf(data);
        } finally {
            first.close();
        }
    }

    /** What the library made is not on the disk yet; the first recovery would wait for it. */
    private static void sync(Path program, Path data) throws IOException {
        Path initdb = program.resolveSibling("initdb");
        Process process = new ProcessBuilder(asUser(initdb.toString(), "--sync-only", "-D", data.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Path programOf(Path data) throws IOException {
        String line = Files.readAllLines(data.resolve("postmaster.pid"), UTF_8).get(0);
        long pid = Long.parseLong(line.strip());
        return ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().command())
                .map(Path::of)
                .orElseThrow(() -> new IllegalStateException("The program of process " + pid + " is not known"));
    }

    /** PostgreSQL refuses to run as root; in a user namespace of its own it is nobody. */
    private static List<String> asUser(String... words) {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(words));
        return command;
    }

    @Override
    public String description() {
        return "PostgreSQL 18, fsync and synchronous_commit on";
    }

    @Override
    public Pools.Target target() {
        return new Pools.Target("jdbc:postgresql://127.0.0.1:" + port() + "/postgres", USER, USER);
    }

    @Override
    public String numberColumn() {
        return "n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
    }
}
