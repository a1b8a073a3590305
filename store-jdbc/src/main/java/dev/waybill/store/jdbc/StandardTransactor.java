package dev.waybill.store.jdbc;

import java.time.Duration;

/** Transactions whose settings end with them. Thread-safe. */
final class StandardTransactor extends Transactor {
    private final Sessions sessions;
    private final Sessions reading;
    private final StandardFlavour flavour;
    private final Duration limit;

    /**
     * Transactions of a data source.
     *
     * @param sessions for statements that take as long as a relay's
     * @param reading  for statements that may take {@link #LONGEST_READ}
     */
    StandardTransactor(Sessions sessions, Sessions reading, StandardFlavour flavour, Duration limit) {
        this.sessions = sessions;
        this.reading = reading;
        this.flavour = flavour;
        this.limit = limit;
    }

    @Override
    <R> R change(String operation, Sessions.Work<R> work) {
        return sessions.transaction(operation, connection -> {
            flavour.begin(connection, limit);
            return work.on(connection);
        });
    }

    @Override
    <R> R autocommit(String operation, Sessions.Work<R> work) {
        return sessions.autocommit(operation, work);
    }

    @Override
    <R> R read(String operation, Sessions.Work<R> work) {
        return readAll(operation, connection -> {
            flavour.preferIndexes(connection);
            return work.on(connection);
        });
    }

    @Override
    <R> R readAll(String operation, Sessions.Work<R> work) {
        return reading.transaction(operation, connection -> flavour.snapshot(connection, LONGEST_READ, work));
    }
}
