package dev.waybill.server.scenario;

import dev.waybill.server.cli.Interruption;
import dev.waybill.server.cli.JsonTarget;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.database.DatabaseChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill scenario dead-letter}. */
@Command(
        name = "dead-letter",
        header = "A consumer refuses an event: inject, fail, inspect, fix, replay, verify.",
        description = {
            "",
            "A shop sells what is not in stock. The consumer stock refuses the order's event, which becomes its dead"
                    + " letter; later orders of the same customer wait behind it, nobody else does. After the repair one"
                    + " replay lets it take effect, for stock only, and the others follow in order. Every step reads the"
                    + " database and checks what it claims.",
            ""
        },
        footer = {"", "Exit code: 0 every check held; 1 one did not, or it was stopped; 2 wrong usage."},
        abbreviateSynopsis = true,
        sortOptions = false)
final class DeadLetterCommand implements Callable<Integer> {
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    private final Terminal terminal;

    @Option(names = "--guided", description = "Stop before each step, say what will happen, and wait for Enter.")
    boolean guided;

    @Option(
            names = "--database",
            paramLabel = "<db>",
            description = "h2 (default): a file in a temporary folder; postgres: an embedded PostgreSQL 18; mariadb: an"
                    + " embedded MariaDB 11.4; or a JDBC URL of your own, where it makes and drops tables named"
                    + " waybill_scenario_... and touches no other.")
    String database = "h2";

    @Option(names = "--user", paramLabel = "<name>", description = "User for a JDBC URL.")
    @Nullable
    String user;

    @Option(
            names = "--password",
            paramLabel = "<text>",
            defaultValue = "${env:WAYBILL_PASSWORD}",
            description = "Password for a JDBC URL; better in the environment as WAYBILL_PASSWORD.")
    @Nullable
    String password;

    @Option(
            names = "--no-fix",
            description = "Leave the repair out, to see a replay that fails again; the scenario then fails too.")
    boolean noFix;

    @Option(
            names = "--within",
            paramLabel = "<time>",
            description = "How soon the replay must take effect (default 1s); more for a machine that is very busy.")
    Duration within = DeadLetterScenario.PROMPT;

    @Option(names = "--json", paramLabel = "<file>", description = "Write the steps and measured times to a file.")
    @Nullable
    Path json;

    DeadLetterCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        DatabaseChoice choice = choice();
        JsonTarget report = json == null ? null : new JsonTarget(json.toString());
        if (report != null) {
            report.requireWritable();
        }
        ScenarioRun run = new ScenarioRun(terminal, choice, guided, !noFix, within, report);
        return Interruption.guard(run::run, run::stop, LONGEST_END);
    }

    private DatabaseChoice choice() {
        try {
            return new DatabaseChoice(database, user, password);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }
}
