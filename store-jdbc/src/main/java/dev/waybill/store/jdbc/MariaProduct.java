package dev.waybill.store.jdbc;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** What MariaDB and MySQL name differently. */
enum MariaProduct {
    MARIADB("utf8mb4_nopad_bin", "tx_isolation", "idle_transaction_timeout") {
        @Override
        String limited(String select, Duration timeout) {
            return "SET STATEMENT max_statement_time = " + seconds(timeout) + " FOR " + select;
        }

        @Override
        String limitStatements(Duration timeout) {
            return "max_statement_time = " + seconds(timeout);
        }

        @Override
        Optional<String> withoutWaiting(String statement) {
            return Optional.of("SET STATEMENT innodb_lock_wait_timeout = 0 FOR " + statement);
        }

        @Override
        String statementLimit() {
            return "max_statement_time";
        }
    },

    /** Has no time-out for idle transactions; the one for idle sessions ends those too. */
    MYSQL("utf8mb4_0900_bin", "transaction_isolation", "wait_timeout") {
        @Override
        String limited(String select, Duration timeout) {
            return "SELECT /*+ MAX_EXECUTION_TIME(" + timeout.toMillis() + ") */" + select.substring("SELECT".length());
        }

        @Override
        String limitStatements(Duration timeout) {
            return "max_execution_time = " + timeout.toMillis();
        }

        @Override
        Optional<String> withoutWaiting(String statement) {
            return Optional.empty();
        }

        @Override
        String statementLimit() {
            return "max_execution_time";
        }
    };

    /** The error of a statement that did not get a lock in time. */
    static final int LOCKED = 1205;

    private final String collation;
    private final String isolation;
    private final String idleLimit;

    MariaProduct(String collation, String isolation, String idleLimit) {
        this.collation = collation;
        this.isolation = isolation;
        this.idleLimit = idleLimit;
    }

    /** Bytes, without padding. */
    String collation() {
        return collation;
    }

    /** The variable that holds the isolation of a session. */
    String isolation() {
        return isolation;
    }

    /** The variable after how many seconds without a statement the server ends a session and its transaction. */
    String idleLimit() {
        return idleLimit;
    }

    /** The variable of {@link #limitStatements}. */
    abstract String statementLimit();

    /** Sets how long a statement may take. */
    abstract String limitStatements(Duration timeout);

    /** A statement that begins with SELECT, ended by the server if it takes longer. */
    abstract String limited(String select, Duration timeout);

    /** A statement that fails with {@link #LOCKED} where it would have to wait for a lock; empty where there is no such thing. */
    abstract Optional<String> withoutWaiting(String statement);

    private static String seconds(Duration timeout) {
        return String.format(Locale.ROOT, "%.3f", timeout.toMillis() / 1000.0);
    }
}
