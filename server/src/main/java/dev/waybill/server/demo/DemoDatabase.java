package dev.waybill.server.demo;

import com.zaxxer.hikari.HikariDataSource;

/** Where the shop keeps its orders and its outbox. Thread-safe. */
interface DemoDatabase extends AutoCloseable {

    /** What it is, in a few words and without credentials. */
    String description();

    /** All of Waybill's tables here begin with this. */
    String tablePrefix();

    String orderTable();

    /** A new pool of connections, for the caller to close. */
    HikariDataSource pool(String name, int size);

    /** Removes what the demo made, so that only what was there before it is left. */
    void cleanUp();

    /** Stops what the demo started. All pools have to be closed before. */
    @Override
    void close();
}
