package dev.waybill.store.jdbc;

import dev.waybill.store.StoreException;
import dev.waybill.store.jdbc.JdbcHousekeeping.HistoryKeeper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The history on PostgreSQL: a partition for each day (UTC), made ahead and dropped as a whole. Thread-safe.
 *
 * <p>No settle waits for any of it longer than a moment. A partition is made as a table and then attached, which locks
 * the history against other such changes only. Detaching one locks out everybody: it is given up when the lock does not
 * come at once, because who waits for such a lock makes all others wait behind it, and tried again later. Dropping the
 * detached table concerns nobody any more.
 */
final class PostgresPartitions implements HistoryKeeper {
    private static final Logger log = LoggerFactory.getLogger(PostgresPartitions.class);
    private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;
    private static final Duration A_DAY = Duration.ofDays(1);
    private static final int DAYS_AHEAD = 7;
    private static final int LOCK_MILLIS = 50;
    private static final Set<String> LOCK_NOT_AVAILABLE = Set.of("55P03", "40P01");
    // A table that a person detached is not ours to drop.
    private static final String DETACHED = "Detached by Waybill: to be dropped";

    private final Tables tables;
    private final Sessions sessions;
    private final SqlSteps steps;
    private final Duration statementTimeout;
    private final Duration retention;
    private final PlainHistory withinADay;
    private final String attached;
    private final String detached;
    private final String stillNeeded;

    PostgresPartitions(
            Tables tables, Sessions sessions, Transactor transactor, SqlSteps steps, JdbcStoreConfig config) {
        this.tables = tables;
        this.sessions = sessions;
        this.steps = steps;
        this.statementTimeout = config.statementTimeout();
        this.retention = config.retention();
        this.withinADay = new PlainHistory(tables, transactor, steps, config.retention());
        attached = tables.sql("""
                SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = '{history}'::regclass ORDER BY c.relname
                """);
        detached = tables.sql("""
                SELECT c.relname FROM pg_class c JOIN pg_class h ON h.oid = '{history}'::regclass
                WHERE c.relnamespace = h.relnamespace AND c.relkind = 'r' AND NOT c.relispartition
                    AND starts_with(c.relname, h.relname || '_') AND obj_description(c.oid, 'pg_class') = '%s'
                ORDER BY c.relname
                """.formatted(DETACHED));
        stillNeeded = tables.sql("""
                SELECT count(*) FROM {replay}
                WHERE state IN ('RUNNING', 'PAUSED') AND COALESCE(position_at, from_at) < ? AND to_at > ?
                """);
    }

    /** Whether a statement failed because the history has no partition for its rows. It has no other check. */
    static boolean isMissing(SQLException e) {
        return SqlErrors.state(e).equals("23514");
    }

    /** Makes the partitions of now and the next day, on a connection that is in autocommit mode. */
    void createNow(Connection connection) throws SQLException {
        LocalDate today = today(connection);
        log.info("The history has no partition for {}: making it", today);
        create(connection, today);
        create(connection, today.plusDays(1));
    }

    /** Makes the partitions of a week, if something is kept. */
    void createAhead() {
        if (retention.isZero()) {
            return;
        }
        sessions.autocommit("make partitions of the history", connection -> {
            LocalDate today = today(connection);
            List<String> existing = names(connection, attached);
            for (int day = 0; day <= DAYS_AHEAD; day++) {
                if (!existing.contains(folded(name(today.plusDays(day))))) {
                    create(connection, today.plusDays(day));
                }
            }
            return true;
        });
    }

    private LocalDate today(Connection connection) throws SQLException {
        return LocalDate.ofInstant(steps.now(connection), ZoneOffset.UTC);
    }

    /**
     * One implicit transaction, in which only one process at a time makes partitions. A table that is there and not
     * attached was detached by a person: it is attached again, or nothing could be delivered on that day.
     */
    private void create(Connection connection, LocalDate day) throws SQLException {
        String partition = tables.name("history_" + DAY.format(day));
        try (Statement statement = connection.createStatement()) {
            statement.execute(tables.sql("""
                    SELECT set_config('statement_timeout', '%1$d', true);
                    DO $$
                    BEGIN
                        PERFORM pg_advisory_xact_lock(%2$d);
                        IF to_regclass('%3$s') IS NULL THEN
                            CREATE TABLE %3$s (LIKE {history} INCLUDING ALL);
                        END IF;
                        IF NOT (SELECT relispartition FROM pg_class WHERE oid = '%3$s'::regclass) THEN
                            ALTER TABLE {history} ATTACH PARTITION %3$s
                                FOR VALUES FROM ('%4$s 00:00:00+00') TO ('%5$s 00:00:00+00');
                        END IF;
                    END
                    $$;
                    """.formatted(
                            statementTimeout.toMillis(), tables.lockId("partition"), partition, day, day.plusDays(1))));
        }
    }

    @Override
    public int clean() {
        createAhead();
        int dropped = drop(orphans());
        Optional<LocalDate> oldest = oldest();
        if (oldest.isPresent() && detach(oldest.get())) {
            dropped += drop(List.of(name(oldest.get())));
        }
        // Who keeps less than a day does not want to wait for the end of the day.
        return retention.compareTo(A_DAY) < 0 ? dropped + withinADay.clean() : dropped;
    }

    private List<String> orphans() {
        return sessions.autocommit("look for old partitions", connection -> names(connection, detached));
    }

    /** The oldest day that has passed as a whole before the retention began, if there is one. */
    private Optional<LocalDate> oldest() {
        return sessions.autocommit("look for old partitions", connection -> {
            LocalDate kept = LocalDate.ofInstant(steps.now(connection).minus(retention), ZoneOffset.UTC);
            for (LocalDate day : days(names(connection, attached))) {
                if (day.isBefore(kept) && !isNeeded(connection, day)) {
                    return Optional.of(day);
                }
            }
            return Optional.empty();
        });
    }

    private boolean isNeeded(Connection connection, LocalDate day) throws SQLException {
        return steps.number(connection, stillNeeded, startOf(day.plusDays(1)), startOf(day)) > 0;
    }

    private static Instant startOf(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Whether the lock came in time. A replay that starts at this moment waits, and finds the day gone. */
    private boolean detach(LocalDate day) {
        try {
            return sessions.transaction("detach a partition", connection -> {
                try (Statement statement = connection.createStatement()) {
                    if (!alone(statement)) {
                        return false;
                    }
                    statement.execute(tables.sql("LOCK TABLE {replay} IN SHARE MODE"));
                    if (isNeeded(connection, day)
                            || !names(connection, attached).contains(folded(name(day)))) {
                        return false;
                    }
                    String partition = tables.schemaDot() + name(day);
                    statement.execute(tables.sql("ALTER TABLE {history} DETACH PARTITION " + partition));
                    statement.execute("COMMENT ON TABLE " + partition + " IS '" + DETACHED + "'");
                    return true;
                }
            });
        } catch (StoreException e) {
            return givenUp("detach", e);
        }
    }

    private int drop(List<String> partitions) {
        int dropped = 0;
        for (String partition : partitions) {
            boolean done;
            try {
                done = sessions.transaction("drop a partition", connection -> {
                    try (Statement statement = connection.createStatement()) {
                        return alone(statement)
                                && !statement.execute("DROP TABLE IF EXISTS " + tables.schemaDot() + partition);
                    }
                });
            } catch (StoreException e) {
                done = givenUp("drop", e);
            }
            if (done) {
                dropped++;
                log.info("Dropped {}: its deliveries have been kept long enough", partition);
            }
        }
        return dropped;
    }

    private static boolean givenUp(String verb, StoreException e) {
        if (e.getCause() instanceof SQLException cause && LOCK_NOT_AVAILABLE.contains(SqlErrors.state(cause))) {
            log.debug("Somebody reads the history; will try again to {} a partition", verb);
            return false;
        }
        throw e;
    }

    /** Limits how long the transaction waits for locks, and answers whether no other process is at it. */
    private boolean alone(Statement statement) throws SQLException {
        statement.execute("SET LOCAL lock_timeout = '" + LOCK_MILLIS + "ms'");
        statement.execute("SET LOCAL statement_timeout = '" + statementTimeout.toMillis() + "ms'");
        statement.execute("SET LOCAL idle_in_transaction_session_timeout = '" + statementTimeout.toMillis() + "ms'");
        try (ResultSet rows =
                statement.executeQuery("SELECT pg_try_advisory_xact_lock(" + tables.lockId("drop") + ")")) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    private List<String> names(Connection connection, String sql) throws SQLException {
        return steps.all(connection, sql, rows -> rows.getString(1));
    }

    /** The days of those partitions that have our names: others are made by people, and theirs to remove. */
    private List<LocalDate> days(List<String> names) {
        String start = folded(tables.prefix() + "history_");
        List<LocalDate> days = new ArrayList<>();
        for (String name : names) {
            if (name.startsWith(start)) {
                try {
                    days.add(LocalDate.parse(name.substring(start.length()), DAY));
                } catch (DateTimeParseException e) {
                    log.debug("{} is not a partition of Waybill", name);
                }
            }
        }
        return days;
    }

    private String name(LocalDate day) {
        return tables.prefix() + "history_" + DAY.format(day);
    }

    /** Names are used without quotes, and PostgreSQL folds those to lower case. */
    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
