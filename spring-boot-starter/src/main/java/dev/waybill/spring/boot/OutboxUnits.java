package dev.waybill.spring.boot;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.outbox.DirectRoutes;
import dev.waybill.spring.outbox.EventMaker;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.outbox.PayloadLimits;
import dev.waybill.spring.outbox.SpringOutbox;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.PostgresNotifier;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/** Makes the units of the data sources, and closes what they hold when the last bean that uses them is gone. */
final class OutboxUnits implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OutboxUnits.class);
    // The one that listens keeps a connection, and the one that notifies keeps one while there is something to do.
    private static final int SIGNAL_CONNECTIONS = 2;

    private final WaybillProperties properties;
    private final EventMaker maker;
    private final MeterRegistry meters;
    private final Supplier<PayloadLimits> limits;
    private final ObjectProvider<DirectRoutes> routes;
    private final List<AutoCloseable> open = new ArrayList<>();

    OutboxUnits(
            WaybillProperties properties,
            EventMaker maker,
            MeterRegistry meters,
            ObjectProvider<PayloadLimits> limits,
            ObjectProvider<DirectRoutes> routes) {
        this.properties = properties;
        this.maker = maker;
        this.meters = meters;
        // When the first event is published: the routes may need beans that need an outbox.
        this.limits = SingletonSupplier.of(() -> limits.getIfAvailable(() -> destination -> Integer.MAX_VALUE))::obtain;
        this.routes = routes;
    }

    OutboxUnit create(String name, DataSource dataSource) {
        DataSource connections = connections(name, dataSource);
        JdbcOutboxStore store = JdbcOutboxStore.create(connections, CoreConfigs.store(properties));
        if (properties.store().migrate()) {
            store.migrate();
        }
        JdbcOutbox commits = new JdbcOutbox(store, CoreConfigs.outbox(properties), meters);
        boolean signals = properties.relay().signals() && isPostgres(connections);
        if (signals) {
            PostgresNotifier notifier = PostgresNotifier.start(connections, store.config());
            synchronized (open) {
                open.add(notifier);
            }
            commits.afterCommit(notifier);
        }
        SpringOutbox outbox = SpringOutbox.stored(
                name,
                dataSource,
                connections,
                commits,
                maker,
                limits,
                properties.outbox().write());
        return new OutboxUnit(name, dataSource, connections, signals, store, commits, outbox);
    }

    /** The outbox of an application that wants none. */
    TypedOutbox direct(String name, DataSource dataSource) {
        log.warn(
                "waybill.outbox.enabled=false: events of data source {} are not stored but sent straight after the commit."
                        + " A crash in between, or a destination that is down or refuses, loses them; there are no retries,"
                        + " no dead letters, no delays, no replay, and no order between transactions",
                name);
        return SpringOutbox.direct(
                name, dataSource, CoreConfigs.outbox(properties), maker, limits, routes::getObject, meters);
    }

    private DataSource connections(String name, DataSource dataSource) {
        int size = properties.store().poolSize();
        if (size < 0) {
            throw new SetupException(
                    "waybill.store.pool-size is " + size + ".",
                    "Set it to 1 or more, or 0 for the application's pool.");
        }
        if (size == 0 || !OwnPool.isPossible(dataSource)) {
            return dataSource;
        }
        int all = properties.relay().signals() && isPostgres(dataSource) ? size + SIGNAL_CONNECTIONS : size;
        DataSource pool = OwnPool.like(dataSource, name, all);
        if (pool instanceof AutoCloseable closeable) {
            synchronized (open) {
                open.add(closeable);
            }
        }
        return pool;
    }

    /** A database that does not answer is reported by whoever needs it next, with advice. */
    private static boolean isPostgres(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void close() {
        List<AutoCloseable> all;
        synchronized (open) {
            all = new ArrayList<>(open);
            open.clear();
        }
        // What uses a pool was opened after it.
        for (int i = all.size() - 1; i >= 0; i--) {
            try {
                all.get(i).close();
            } catch (Exception e) {
                log.warn("{} could not be closed", all.get(i), e);
            }
        }
    }
}
