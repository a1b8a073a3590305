package dev.waybill.store.jdbc;

import dev.waybill.store.EntryReader;
import dev.waybill.store.EntrySettler;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.LeaseStore;
import dev.waybill.store.jdbc.JdbcHousekeeping.HistoryKeeper;
import java.sql.Connection;

/** One kind of database: answers whole operations, and is the only place that knows its SQL. Thread-safe. */
interface Dialect {

    LeaseStore leases();

    EntryReader reader();

    EntrySettler settler();

    EntryWriter<Connection> writer();

    HistoryKeeper history();

    /** For what is the same on every database but for some words. */
    SqlFlavour flavour();

    /** For the same. */
    Transactor transactor();

    /**
     * Brings the tables to the newest version that this code knows, and the sequence beyond every stored one. Only one
     * caller at a time does it, whatever the number of processes; the others wait and find nothing to do.
     */
    void migrate();
}
