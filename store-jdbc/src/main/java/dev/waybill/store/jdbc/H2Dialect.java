package dev.waybill.store.jdbc;

import dev.waybill.store.EntryReader;
import dev.waybill.store.EntrySettler;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.LeaseStore;
import dev.waybill.store.jdbc.JdbcHousekeeping.HistoryKeeper;
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
    private final H2Flavour flavour;
    private final Transactor transactor;
    private final PlainHistory history;

    H2Dialect(JdbcStoreConfig config, Sessions sessions, Sessions reading, Sessions migrating) {
        Tables tables = Tables.of(config);
        H2Fence fence = new H2Fence(tables);
        flavour = new H2Flavour(tables);
        EntryRows entryRows = new EntryRows(flavour, config);
        SqlSteps steps = new SqlSteps(flavour);
        schema = new H2Schema(config, tables, migrating);
        leases = new H2Leases(sessions, tables, fence);
        reader = new H2Reader(sessions, tables, entryRows);
        settler = new H2Settler(sessions, tables, fence, new ParkedKeys(tables, steps), config.retention());
        writer = new H2Writer(sessions, tables, flavour, entryRows);
        transactor = new StandardTransactor(sessions, reading, flavour, config.statementTimeout());
        history = new PlainHistory(tables, transactor, steps, config.retention());
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
    public HistoryKeeper history() {
        return history;
    }

    @Override
    public SqlFlavour flavour() {
        return flavour;
    }

    @Override
    public Transactor transactor() {
        return transactor;
    }

    @Override
    public void migrate() {
        schema.migrate();
    }
}
