package dev.waybill.server.database;

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

    @Override
    public Pools.Target target() {
        return file("shop");
    }

    /** A file of its own: schemas of one file would wait for each other at every commit. */
    @Override
    public Pools.Target createSchema(String name) {
        return file(name);
    }

    /**
     * Without a write delay, because H2 would else lose acknowledged commits in a crash; not closed when the JVM is told to
     * end, because the run still ends in its own time then; and through asynchronous file channels, because the usual ones, and with
     * them the database, are closed for everybody when a thread that writes is interrupted, as killing a relay does.
     * The cache is kept small, because H2 would else fill a good part of the heap with it, little by little; that of statements
     * is large enough for those of a relay, which would else be parsed each time. Old chunks of
     * the file go after seconds: each costs memory, and every commit writes one.
     */
    private Pools.Target file(String name) {
        Path file = folder.resolve(name).toAbsolutePath();
        String url = "jdbc:h2:async:" + file
                + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;CACHE_SIZE=4096;RETENTION_TIME=5000;QUERY_CACHE_SIZE=64";
        return new Pools.Target(url, "sa", "");
    }

    /** The folder goes as a whole. */
    @Override
    public void cleanUp() {}

    @Override
    public void close() {}
}
