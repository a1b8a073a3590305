package dev.waybill.store.jdbc;

import dev.waybill.store.CommitListener;
import dev.waybill.store.ShardSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the relays of other processes after a commit, through PostgreSQL's NOTIFY. Thread-safe.
 *
 * <p>It runs on its own thread and connection, outside every business transaction, because a NOTIFY within them makes
 * all commits wait for each other. A single commit is told at once; the more there are, the longer it pauses between two
 * NOTIFYs, from 1 to 10 ms, each for all commits since the one before. A wake-up that fails is lost, and the relay's poll
 * makes up for it.
 */
public final class PostgresNotifier implements CommitListener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PostgresNotifier.class);
    private static final long PAUSE_PER_COMMIT = Duration.ofNanos(500_000).toNanos();
    private static final long SHORTEST_PAUSE = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(10).toNanos();
    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final int NETWORK_TIMEOUT_MILLIS = 10_000;
    // What it tells is committed already, and a wake-up that is lost in a crash wakes nobody who could use it.
    private static final String NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";

    private final DataSource dataSource;
    private final String channel;
    // The bits of a ShardSet.
    private final AtomicLong shards = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final Semaphore requests = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;

    private PostgresNotifier(DataSource dataSource, String channel) {
        this.dataSource = dataSource;
        this.channel = channel;
        this.thread = new Thread(this::loop, "waybill-notifier");
        thread.setDaemon(true);
    }

    /** Starts a notifier. It keeps one connection of the data source while it is busy and gives it back when idle. */
    public static PostgresNotifier start(DataSource dataSource, JdbcStoreConfig config) {
        PostgresNotifier notifier = new PostgresNotifier(dataSource, PostgresChannel.of(config));
        notifier.thread.start();
        return notifier;
    }

    /** Asks for a wake-up. Returns at once and never throws. */
    @Override
    public void onCommit(ShardSet committed) {
        shards.accumulateAndGet(committed.bits(), (before, added) -> before | added);
        commits.incrementAndGet();
        // Two racing calls may both add a permit; draining takes them together.
        if (requests.availablePermits() == 0) {
            requests.release();
        }
    }

    private void loop() {
        boolean failing = false;
        while (!closed) {
            try {
                requests.acquire();
                notifyWhileBusy();
                failing = false;
            } catch (InterruptedException e) {
                return;
            } catch (SQLException | RuntimeException e) {
                if (!failing) {
                    log.warn("Other processes could not be woken ({}); their relays poll meanwhile", e.toString());
                }
                failing = true;
                requests.release();
                if (!pauseAfterFailure()) {
                    return;
                }
            }
        }
    }

    /** Has a request to serve, and goes on with others on the same connection until none came for a while. */
    private void notifyWhileBusy() throws SQLException, InterruptedException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autocommit = connection.getAutoCommit();
            int timeout = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, NETWORK_TIMEOUT_MILLIS);
            if (!autocommit) {
                connection.setAutoCommit(true);
            }
            try (PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
                statement.setString(1, channel);
                do {
                    // Before the NOTIFY: a request that comes during it may be for a commit that it does not cover.
                    requests.drainPermits();
                    notify(statement, new ShardSet(shards.getAndSet(0)));
                    TimeUnit.NANOSECONDS.sleep(pause(commits.getAndSet(0)));
                } while (requests.tryAcquire(IDLE.toMillis(), TimeUnit.MILLISECONDS));
            }
            if (!autocommit) {
                connection.setAutoCommit(false);
            }
            connection.setNetworkTimeout(Runnable::run, timeout);
        }
    }

    private static long pause(long committed) {
        return Math.max(SHORTEST_PAUSE, Math.min(LONGEST_PAUSE, committed * PAUSE_PER_COMMIT));
    }

    private void notify(PreparedStatement statement, ShardSet committed) throws SQLException {
        if (committed.isEmpty()) {
            // The notification before this one has covered it.
            return;
        }
        try {
            statement.setString(2, PostgresChannel.message(committed));
            statement.execute();
        } catch (SQLException | RuntimeException e) {
            shards.accumulateAndGet(committed.bits(), (before, added) -> before | added);
            throw e;
        }
    }

    private boolean pauseAfterFailure() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE_AFTER_FAILURE.toNanos());
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Stops the thread; requests that are still open are dropped. Idempotent. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
