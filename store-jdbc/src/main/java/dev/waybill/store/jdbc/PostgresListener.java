package dev.waybill.store.jdbc;

import dev.waybill.store.CommitListener;
import dev.waybill.store.ShardSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a listener when another process committed events, through PostgreSQL's LISTEN. Thread-safe.
 *
 * <p>It keeps one connection of the data source. LISTEN needs a session of its own: behind PgBouncer in transaction
 * mode nothing arrives, and the relay's poll does the work. After a lost connection it connects again, with growing
 * pauses, and calls the listener once, because it may have missed something meanwhile.
 */
public final class PostgresListener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PostgresListener.class);
    private static final int WAIT_MILLIS = 10_000;
    private static final int VALID_WITHIN_SECONDS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private final String channel;
    private final CommitListener listener;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Connection open;

    private PostgresListener(DataSource dataSource, String channel, CommitListener listener) {
        this.dataSource = dataSource;
        this.channel = channel;
        this.listener = listener;
        this.thread = new Thread(this::loop, "waybill-listener");
        thread.setDaemon(true);
    }

    /** Starts to listen. The listener is called from the listening thread and must be quick. */
    public static PostgresListener start(DataSource dataSource, JdbcStoreConfig config, CommitListener listener) {
        PostgresListener started = new PostgresListener(dataSource, PostgresChannel.of(config), listener);
        started.thread.start();
        return started;
    }

    private void loop() {
        Duration pause = FIRST_PAUSE;
        while (!closed) {
            long connected = System.nanoTime();
            try {
                listen();
            } catch (SQLException | RuntimeException e) {
                if (closed) {
                    return;
                }
                log.warn("Not listening on {} ({}); trying again in {} ms", channel, e.toString(), pause.toMillis());
            }
            boolean held = System.nanoTime() - connected > LONGEST_PAUSE.toNanos();
            pause = held ? FIRST_PAUSE : pause;
            try {
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            } catch (InterruptedException e) {
                return;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    /** Listens until the connection breaks or the listener is closed. */
    private void listen() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            open = connection;
            // In a transaction the server would hold notifications back.
            boolean autocommit = connection.getAutoCommit();
            if (!autocommit) {
                connection.setAutoCommit(true);
            }
            execute(connection, "LISTEN \"" + channel + "\"");
            PostgresSession session = PostgresSession.of(connection);
            log.debug("Listening on {}", channel);
            call(ShardSet.ALL);
            while (!closed) {
                List<String> messages = session.awaitNotifications(WAIT_MILLIS);
                if (!messages.isEmpty()) {
                    call(messages.stream().map(PostgresChannel::read).reduce(ShardSet.NONE, ShardSet::union));
                } else if (!closed && !connection.isValid(VALID_WITHIN_SECONDS)) {
                    // A connection that died silently answers nothing, which looks just like nothing to tell.
                    throw new SQLException("The connection is no longer valid", "08006");
                }
            }
            execute(connection, "UNLISTEN *");
            if (!autocommit) {
                connection.setAutoCommit(false);
            }
        } finally {
            open = null;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void call(ShardSet shards) {
        try {
            listener.onCommit(shards);
        } catch (RuntimeException e) {
            log.warn("The listener of {} failed", channel, e);
        }
    }

    /** Stops listening and ends the session. Idempotent. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        Connection connection = open;
        if (connection != null) {
            try {
                // The thread waits in a read that no interrupt ends.
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                log.debug("The listening connection could not be ended", e);
            }
        }
    }
}
