package dev.waybill.store.jdbc;

/** Transactions whose settings are of the session, and are put back after them. Thread-safe. */
final class MariaTransactor extends Transactor {
    private final MariaSessions sessions;
    private final MariaSessions reading;

    /**
     * Transactions of a data source.
     *
     * @param sessions for statements that take as long as a relay's
     * @param reading  for statements that may take {@link #LONGEST_READ}
     */
    MariaTransactor(MariaSessions sessions, MariaSessions reading) {
        this.sessions = sessions;
        this.reading = reading;
    }

    @Override
    <R> R change(String operation, Sessions.Work<R> work) {
        return sessions.transaction(operation, work);
    }

    @Override
    <R> R autocommit(String operation, Sessions.Work<R> work) {
        return sessions.read(operation, work);
    }

    @Override
    <R> R read(String operation, Sessions.Work<R> work) {
        return reading.snapshot(operation, work);
    }

    /** Statistics are kept up by InnoDB itself, so that there is nothing to tell the server. */
    @Override
    <R> R readAll(String operation, Sessions.Work<R> work) {
        return read(operation, work);
    }
}
