package dev.waybill.server.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.server.cli.Pools;
import java.nio.file.Path;

/** An H2 file database in this JVM, in a folder of its own. */
record H2Database(Path folder) implements ScratchDatabase {

    @Override
    public String description() {
        return "H2 file";
    }

    @Override
    public String tablePrefix() {
        return "waybill_";
    }

    @Override
    public String table(String name) {
        return "shop_" + name;
    }

    /**
     * Without a write delay, because H2 would else lose acknowledged commits in a crash; not closed when the JVM is told to
     * end, because the run still ends in its own time then; and through asynchronous file channels, because the usual ones, and with
     * them the database, are closed for everybody when a thread that writes is interrupted, as killing a relay does.
     */
    @Override
    public HikariDataSource pool(String name, int size) {
        Path file = folder.resolve("shop").toAbsolutePath();
        String url = "jdbc:h2:async:" + file + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
        return Pools.open(new Pools.Target(url, "sa", ""), name, size);
    }

    /** The folder goes as a whole. */
    @Override
    public void cleanUp() {}

    @Override
    public void close() {}
}
