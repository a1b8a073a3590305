package dev.waybill.chaos.stage;

import dev.waybill.server.cli.Pools;
import dev.waybill.server.database.ScratchDatabase;

/** A database server of the run's own, that can be killed and started again with the data it had. Thread-safe. */
public interface DatabaseServer extends ScratchDatabase {
    int port();

    /** Starts it, and returns when it accepts connections. */
    void start();

    /** Sends SIGKILL to all of its processes at once, and returns when they are gone. */
    void kill();

    /** How to connect through another port, such as a proxy's. */
    default Pools.Target through(Pools.Target target, int otherPort) {
        String url = target.url().replaceFirst(":" + port() + "/", ":" + otherPort + "/");
        return new Pools.Target(url, target.user(), target.password());
    }

    /** A column that numbers the rows in the order of their inserts. */
    String numberColumn();

    @Override
    default String tablePrefix() {
        return "waybill_";
    }

    @Override
    default String table(String name) {
        return name;
    }

    /** The data go with the folder of the run. */
    @Override
    default void cleanUp() {}
}
