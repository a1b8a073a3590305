package dev.waybill.spring.outbox;

import dev.waybill.event.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.store.ShardSet;
import dev.waybill.store.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Writes events into the tables, through the connection of Spring's transaction. Thread-safe. */
final class StoredEvents implements EventSink {
    private final DataSource dataSource;
    private final DataSource connections;
    private final JdbcOutbox outbox;

    StoredEvents(DataSource dataSource, DataSource connections, JdbcOutbox outbox) {
        this.dataSource = dataSource;
        this.connections = connections;
        this.outbox = outbox;
    }

    @Override
    public void check(List<Event> events) {
        outbox.check(events);
    }

    @Override
    public void write(List<Event> events) {
        inTransaction(joined -> joined.publishAll(events));
    }

    @Override
    public boolean cancel(UUID id) {
        return inTransaction(joined -> joined.cancel(id));
    }

    @Override
    public void committed(ShardSet shards) {
        outbox.signal(shards);
    }

    @Override
    public void writeAlone(List<Event> events) {
        outbox.inTransaction(connections, own -> own.publishAll(events));
    }

    private <R> R inTransaction(Function<Outbox, R> work) {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return work.apply(outbox.on(connection));
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }
}
