package dev.waybill.store.jdbc;

import dev.waybill.audit.AuditTrail;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.operations.Administration;
import dev.waybill.operations.Operations;
import dev.waybill.replay.Replays;
import dev.waybill.store.DueCursor;
import dev.waybill.store.DuePage;
import dev.waybill.store.Entry;
import dev.waybill.store.EntryWriter;
import dev.waybill.store.KeyCursor;
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
import dev.waybill.store.ShardSet;
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
 * The outbox store on a relational database, PostgreSQL, MariaDB (MySQL 8) or H2, with all that people do with it.
 * Thread-safe.
 *
 * <p>Every call of a relay borrows a connection from the data source for as long as it takes, and gives it back as it
 * came. Give it a small pool of its own (two to four connections), so that a busy application cannot starve the relay.
 * Publishing uses the caller's connection instead, and may go to the same database through any other data source.
 */
public final class JdbcOutboxStore implements OutboxStore, EntryWriter<Connection>, Administration {
    // Waiting for another process that migrates, or for an index on a big table, takes its time.
    static final Duration MIGRATION_TIMEOUT = Duration.ofMinutes(30);

    // A settle's commit comes after the last moment at which the database would have ended its statement.
    private static final Duration COMMIT_MARGIN = Duration.ofSeconds(1);

    private final JdbcStoreConfig config;
    private final Dialect dialect;
    private final JdbcAudit audit;
    private final JdbcDeadLetters deadLetters;
    private final JdbcOperations operations;
    private final JdbcReplays replays;
    private final JdbcHousekeeping housekeeping;
    private final ClaimTable claims;
    private final SidingTable siding;

    private JdbcOutboxStore(JdbcStoreConfig config, Dialect dialect, Duration settleLimit) {
        this.config = config;
        this.dialect = dialect;
        Tables tables = Tables.of(config);
        SqlSteps steps = new SqlSteps(dialect.flavour());
        EntryRows entryRows = new EntryRows(dialect.flavour(), config);
        Transactor transactor = dialect.transactor();
        audit = new JdbcAudit(tables, transactor, steps, entryRows);
        RedrivenTable redriven = new RedrivenTable(tables, steps, config.maxReplays());
        deadLetters = new JdbcDeadLetters(tables, transactor, steps, entryRows, redriven, audit);
        JdbcStatistics statistics = new JdbcStatistics(tables, steps, config.retention());
        operations = new JdbcOperations(tables, transactor, steps, entryRows, dialect.writer(), statistics, audit);
        replays = new JdbcReplays(tables, transactor, steps, audit);
        ReplayRunner runner = new ReplayRunner(tables, transactor, steps, settleLimit);
        claims = new ClaimTable(tables, steps);
        siding = new SidingTable(tables, steps, entryRows);
        housekeeping =
                new JdbcHousekeeping(tables, transactor, steps, runner, dialect.history(), redriven, claims, config);
    }

    /**
     * Connects once to see which database it is; creates nothing, see {@link #migrate()}.
     *
     * @throws StoreException if the database cannot be reached or is none that Waybill knows
     */
    public static JdbcOutboxStore create(DataSource dataSource, JdbcStoreConfig config) {
        return create(dataSource, config, config.statementTimeout().plus(COMMIT_MARGIN));
    }

    /**
     * Connects like {@link #create(DataSource, JdbcStoreConfig)}.
     *
     * @param settleLimit how long a settle may take until others see it: replays wait so long. Tests that have no open
     *                    settle need not wait
     */
    static JdbcOutboxStore create(DataSource dataSource, JdbcStoreConfig config, Duration settleLimit) {
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
        Sessions reading = new Sessions(dataSource, Transactor.LONGEST_READ, isolation);
        Sessions migrating = new Sessions(dataSource, MIGRATION_TIMEOUT, isolation);
        Dialect dialect = switch (product) {
            case "PostgreSQL" -> new PostgresDialect(config, sessions, reading, migrating);
            case "MariaDB" -> new MariaDialect(config, dataSource, MariaProduct.MARIADB);
            case "MySQL" -> new MariaDialect(config, dataSource, MariaProduct.MYSQL);
            case "H2" -> new H2Dialect(config, sessions, reading, migrating);
            default ->
                throw new StoreException(
                        "Waybill does not know the database \"" + product + "\" that "
                                + dataSource.getClass().getName()
                                + " connects to; supported are PostgreSQL, MariaDB (and MySQL 8) and H2.",
                        null);
        };
        return new JdbcOutboxStore(config, dialect, settleLimit);
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

    Transactor transactor() {
        return dialect.transactor();
    }

    /** How a transaction of the application goes on a connection. */
    OwnTransactions.Course course(Connection connection) {
        return dialect.writer() instanceof PostgresWriter writer
                ? new WaitingEvents(writer, connection)
                : new OwnTransactions.Straight(connection);
    }

    ClaimTable claims() {
        return claims;
    }

    SidingTable siding() {
        return siding;
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
    public List<Lease> take(UUID relay, ShardSet among, int atMost, Duration lease) {
        return dialect.leases().take(relay, among, atMost, lease);
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
    public void withdraw(UUID relay) {
        dialect.leases().withdraw(relay);
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
    public Scan peek(UUID relay, List<ScanCursor> cursors) {
        return dialect.reader().peek(relay, cursors);
    }

    @Override
    public List<LanePage> readLanes(List<LaneCursor> lanes) {
        return dialect.reader().readLanes(lanes);
    }

    @Override
    public List<Entry> readKeys(Collection<KeyCursor> keys, int limit) {
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
    public OptionalInt hold(UUID relay, Lease lease, KeyCursor stretch, int limit) {
        return dialect.settler().hold(relay, lease, stretch, limit);
    }

    @Override
    public OptionalInt restore(UUID relay, Lease lease, OrderKey key, int limit) {
        return dialect.settler().restore(relay, lease, key, limit);
    }

    @Override
    public long countPending(long atMost) {
        return dialect.writer().countPending(atMost);
    }

    @Override
    public int advanceReplays() {
        return housekeeping.advanceReplays();
    }

    @Override
    public boolean hasRunningReplays() {
        return housekeeping.hasRunningReplays();
    }

    @Override
    public int clean() {
        return housekeeping.clean();
    }

    @Override
    public Operations operations() {
        return operations;
    }

    @Override
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    @Override
    public Replays replays() {
        return replays;
    }

    @Override
    public AuditTrail auditTrail() {
        return audit;
    }
}
