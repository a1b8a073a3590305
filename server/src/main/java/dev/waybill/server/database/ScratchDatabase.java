package dev.waybill.server.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.server.cli.Pools;

/** A database for one run of a command that shows something. Thread-safe. */
public interface ScratchDatabase extends AutoCloseable {

    /** What it is, in a few words and without credentials. */
    String description();

    /** All of Waybill's tables here begin with this. */
    String tablePrefix();

    /** The name of a table of the application. */
    String table(String name);

    /** How to connect to it. */
    Pools.Target target();

    /** A new pool of connections, for the caller to close. */
    default HikariDataSource pool(String name, int size) {
        return Pools.open(target(), name, size);
    }

    /** Makes an empty schema, named like a {@link #table}, and tells how to connect to it. */
    default Pools.Target createSchema(String name) {
        return Schemas.create(target(), table(name));
    }

    /** Removes what the run made, so that only what was there before it is left. */
    void cleanUp();

    /** Stops what the run started. All pools have to be closed before. */
    @Override
    void close();
}
