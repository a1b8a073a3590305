package dev.waybill.store.jdbc;

import dev.waybill.deadletter.DeadLetters;
import dev.waybill.store.EntryReader;
import dev.waybill.store.EntrySettler;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.LeaseStore;
import java.sql.Connection;

/**
 * H2. Each topic is a class of its own; here they come together.
 *
 * <p>How long a statement waits for a lock is H2's own LOCK_TIMEOUT (of the URL); a deadlock or a time-out surfaces as
 * a {@link dev.waybill.store.StoreException}, and everything was rolled back.
 */
final class H2Dialect implements Dialect {
    private final H2Schema schema;
    private final H2Leases leases;
    private final H2Reader reader;
    private final H2Settler settler;
    private final H2Writer writer;
    private final H2DeadLetters deadLetters;

    H2Dialect(JdbcStoreConfig config, Sessions sessions, Sessions migrating) {
        Tables tables = Tables.of(config);
        H2Fence fence = new H2Fence(tables);
        H2Keys keys = new H2Keys(tables);
        schema = new H2Schema(config, tables, migrating);
        leases = new H2Leases(sessions, tables, fence);
        reader = new H2Reader(sessions, tables);
        settler = new H2Settler(sessions, tables, fence, keys);
        writer = new H2Writer(tables);
        deadLetters = new H2DeadLetters(sessions, tables, fence, keys);
    }

    @Override
    public LeaseStore leases() {
        return leases;
    }

    @Override
    public EntryReader reader() {
        return reader;
    }

    @Override
    public EntrySettler settler() {
        return settler;
    }

    @Override
    public EntryWriter<Connection> writer() {
        return writer;
    }

    @Override
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    @Override
    public void migrate() {
        schema.migrate();
    }
}
