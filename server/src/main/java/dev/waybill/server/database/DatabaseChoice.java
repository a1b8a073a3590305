package dev.waybill.server.database;

import dev.waybill.server.cli.Pools;
import dev.waybill.server.cli.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The database that the user asked for. Immutable.
 *
 * @param name {@code h2}, {@code postgres}, {@code mariadb} or a JDBC URL
 */
public record DatabaseChoice(
        String name, @Nullable String user, @Nullable String password) {
    private static final Set<String> NAMES = Set.of("h2", "postgres", "mariadb");

    public DatabaseChoice {
        requireKnown(name);
    }

    public static void requireKnown(String name) {
        if (!NAMES.contains(name) && !name.startsWith("jdbc:")) {
            throw new IllegalArgumentException(
                    "--database is '" + name + "'; it must be h2, postgres, mariadb or a URL that starts with jdbc:");
        }
    }

    /**
     * Starts it, or connects to it; says so while that takes its time.
     *
     * @param folder where its files go
     * @param prefix what the names of all tables begin with in a database of the user; what is left of an earlier run
     *               is removed
     */
    public ScratchDatabase open(Path folder, String prefix, Terminal terminal) {
        return switch (name) {
            case "h2" -> new H2Database(folder);
            case "postgres" -> {
                terminal.out().println("Starting PostgreSQL ...");
                yield PostgresDatabase.start(folder);
            }
            case "mariadb" -> {
                terminal.out().println("Starting MariaDB ..." + unpacking());
                yield MariaDatabase.start(folder);
            }
            default -> UserDatabase.connect(new Pools.Target(name, user, password), prefix);
        };
    }

    private static String unpacking() {
        Path home = MariaDatabase.unpacked();
        return Files.exists(home) ? "" : " (the first time it is unpacked to " + home + ")";
    }

    /** Without the password, which must not end up in a log by accident. */
    @Override
    public String toString() {
        return name;
    }
}
