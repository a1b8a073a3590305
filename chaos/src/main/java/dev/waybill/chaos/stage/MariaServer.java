package dev.waybill.chaos.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.database.DatabaseChoice;
import dev.waybill.server.database.ScratchDatabase;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MariaDB, whose log is flushed to the disk at each commit, as a process of ours.
 *
 * <p>The library makes the data and starts it once; from then on the same command is started directly.
 */
final class MariaServer extends ProcessServer {
    private static final Pattern PORT = Pattern.compile(":(\\d+)/");

    private final Pools.Target target;

    private MariaServer(Pools.Target target, int port, List<String> command, Path log) {
        super(command, "TERM", log, port);
        this.target = target;
    }

    /** Makes a server and starts it. */
    static MariaServer create(Path folder, Path logs) {
        MariaServer server;
        // The run says itself that it starts one.
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        Terminal messages = Terminal.plain(nowhere, nowhere);
        try (ScratchDatabase first = new DatabaseChoice("mariadb", null, null).open(folder, "waybill_", messages)) {
            int port = portOf(first.target());
            // Makes the database that the URL names.
            Servers.await(first.description(), () -> Servers.accepts(first.target()), START);
            server = new MariaServer(first.target(), port, commandOf(port), logs.resolve("mariadb.log"));
        }
        server.start();
        return server;
    }

    private static int portOf(Pools.Target target) {
        Matcher matcher = PORT.matcher(target.url());
        if (!matcher.find()) {
            throw new IllegalStateException("There is no port in " + target);
        }
        return Integer.parseInt(matcher.group(1));
    }

    private static List<String> commandOf(int port) {
        return ProcessHandle.current()
                .descendants()
                .map(ProcessHandle::info)
                .filter(info -> info.arguments()
                        .map(arguments -> List.of(arguments).contains("--port=" + port))
                        .orElse(false))
                .findFirst()
                .map(MariaServer::command)
                .orElseThrow(
                        () -> new IllegalStateException("The process of MariaDB on port " + port + " is not known"));
    }

    private static List<String> command(ProcessHandle.Info info) {
        List<String> command = new ArrayList<>(List.of(info.command().orElseThrow()));
        command.addAll(List.of(info.arguments().orElseThrow()));
        command.add("--innodb-flush-log-at-trx-commit=1");
        return command;
    }

    @Override
    public String description() {
        return "MariaDB 11.4, innodb_flush_log_at_trx_commit 1";
    }

    @Override
    public Pools.Target target() {
        return target;
    }

    @Override
    public String numberColumn() {
        return "n bigint AUTO_INCREMENT PRIMARY KEY";
    }
}
