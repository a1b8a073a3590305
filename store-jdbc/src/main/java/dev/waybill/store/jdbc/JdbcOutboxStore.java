package dev.waybill.store.jdbc;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Parked;
import dev.waybill.event.Event;
import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.LaneCursor;
import dev.waybill.store.LanePage;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Outcome;
import dev.waybill.store.Ownership;
import dev.waybill.store.ParkedKey;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The outbox store on a relational database: PostgreSQL or H2. Thread-safe.
 *
 * <p>Every call of a relay borrows a connection from the data source for as long as it takes, and gives it back as it
 * came. Give it a small pool of its own (two to four connections), so that a busy application cannot starve the relay.
 * Publishing uses the caller's connection instead, and may go to the same database through any other data source.
 */
public final class JdbcOutboxStore implements OutboxStore, EntryWriter<Connection>, DeadLetters {
    // Waiting for another process that migrates, or for an index on a big table, takes its time.
    private static final Duration MIGRATION_TIMEOUT = Duration.ofMinutes(30);

    private final JdbcStoreConfig config;
    private final Dialect dialect;

    private JdbcOutboxStore(JdbcStoreConfig config, Dialect dialect) {
        this.config = config;
        this.dialect = dialect;
    }

    /**
     * Connects once to see which database it is; creates nothing, see {@link #migrate()}.
     *
     * @throws StoreException if the database cannot be reached or is none that Waybill knows
     */
    public static JdbcOutboxStore create(DataSource dataSource, JdbcStoreConfig config) {
        String product;
        int isolation;
        try (Connection connection = dataSource.getConnection()) {
            product = connection.getMetaData().getDatabaseProductName();
            isolation = connection.getTransactionIsolation();
        } catch (SQLException e) {
            throw new StoreException(
                    "Waybill could not open a connection through "
                            + dataSource.getClass().getName() + ": "
                            + e.getMessage() + " (SQLState " + SqlErrors.state(e)
                            + "). Check the JDBC URL (host, port, name of"
                            + " the database), user and password, that the driver is on the class path, and that the"
                            + " server runs and accepts connections from this machine.",
                    e);
        }
        Sessions sessions = new Sessions(dataSource, config.statementTimeout(), isolation);
        Sessions migrating = new Sessions(dataSource, MIGRATION_TIMEOUT, isolation);
        Dialect dialect = switch (product) {
            case "PostgreSQL" -> new PostgresDialect(config, sessions, migrating);
            case "H2" -> new H2Dialect(config, sessions, migrating);
            default ->
                throw new StoreException(
                        "Waybill does not know the database \"" + product + "\" that "
                                + dataSource.getClass().getName() + " connects to; supported are PostgreSQL and H2.",
                        null);
        };
        return new JdbcOutboxStore(config, dialect);
    }

    /**
     * Creates or upgrades the tables, and sets the sequence beyond every stored entry if a restore set it back. Safe to
     * call at every start, by many processes at once: one does it, the others wait.
     *
     * @throws SchemaVersionException if the tables are of a newer Waybill
     */
    public void migrate() {
        dialect.migrate();
    }

    public JdbcStoreConfig config() {
        return config;
    }

    @Override
    public void append(Connection transaction, List<Event> events, Set<OrderKey> strictKeys) {
        dialect.writer().append(transaction, events, strictKeys);
    }

    @Override
    public boolean cancel(Connection transaction, UUID id) {
        return dialect.writer().cancel(transaction, id);
    }

    @Override
    public Ownership renew(UUID relay, Duration lease) {
        return dialect.leases().renew(relay, lease);
    }

    @Override
    public List<Lease> take(UUID relay, int atMost, Duration lease) {
        return dialect.leases().take(relay, atMost, lease);
    }

    @Override
    public List<Lease> retake(UUID relay, Duration lease) {
        return dialect.leases().retake(relay, lease);
    }

    @Override
    public void giveBack(UUID relay, Collection<Lease> leases) {
        dialect.leases().giveBack(relay, leases);
    }

    @Override
    public void leave(UUID relay) {
        dialect.leases().leave(relay);
    }

    @Override
    public Scan scan(UUID relay, List<ScanCursor> cursors) {
        return dialect.reader().scan(relay, cursors);
    }

    @Override
    public List<LanePage> readLanes(List<LaneCursor> lanes) {
        return dialect.reader().readLanes(lanes);
    }

    @Override
    public List<Entry> readKeys(Collection<OrderKey> keys, int limit) {
        return dialect.reader().readKeys(keys, limit);
    }

    @Override
    public List<Entry> readEntries(int shard, Collection<Long> sequences) {
        return dialect.reader().readEntries(shard, sequences);
    }

    @Override
    public DuePage readDue(Set<Integer> shards, DueCursor after, int limit) {
        return dialect.reader().readDue(shards, after, limit);
    }

    @Override
    public List<ParkedKey> readParked(Set<Integer> shards) {
        return dialect.reader().readParked(shards);
    }

    @Override
    public Set<Integer> settle(UUID relay, Collection<Lease> leases, List<Outcome> outcomes) {
        return dialect.settler().settle(relay, leases, outcomes);
    }

    @Override
    public OptionalInt hold(UUID relay, Lease lease, OrderKey key, int limit) {
        return dialect.settler().hold(relay, lease, key, limit);
    }

    @Override
    public OptionalInt restore(UUID relay, Lease lease, OrderKey key, int limit) {
        return dialect.settler().restore(relay, lease, key, limit);
    }

    @Override
    public List<DeadLetter> list(long afterSequence, int limit) {
        return dialect.deadLetters().list(afterSequence, limit);
    }

    @Override
    public List<Parked> parked(int limit) {
        return dialect.deadLetters().parked(limit);
    }

    @Override
    public boolean release(OrderKey key) {
        return dialect.deadLetters().release(key);
    }

    @Override
    public boolean skip(OrderKey key) {
        return dialect.deadLetters().skip(key);
    }

    @Override
    public boolean redrive(long sequence) {
        return dialect.deadLetters().redrive(sequence);
    }
}
