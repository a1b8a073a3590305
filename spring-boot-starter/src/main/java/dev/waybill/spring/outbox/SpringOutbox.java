package dev.waybill.spring.outbox;

import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.store.jdbc.JdbcOutbox;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * The outbox of one data source, which joins the transaction that Spring has for the calling thread. Thread-safe.
 *
 * <p>Limits are checked in the call that publishes. The events of a transaction are written as one batch right before its
 * commit; those that a flush of the commit publishes, at once.
 */
public final class SpringOutbox implements JoiningOutbox {

    /** When the events of a transaction are written. */
    public enum Write {
        /** As one batch, right before the commit. */
        BEFORE_COMMIT,
        /** Each in the call that publishes it: for savepoints that Spring does not know of. */
        AT_ONCE
    }

    private final JoinRules rules;
    private final EventMaker maker;
    private final EventSink sink;
    private final Write write;

    private SpringOutbox(JoinRules rules, EventMaker maker, EventSink sink, Write write) {
        this.rules = rules;
        this.maker = maker;
        this.sink = sink;
        this.write = write;
    }

    /**
     * An outbox that stores.
     *
     * @param name        the bean name of the data source
     * @param dataSource  whose transactions are joined
     * @param connections for what comes too late for a transaction
     * @param commits     the tables
     */
    public static SpringOutbox stored(
            String name,
            DataSource dataSource,
            DataSource connections,
            JdbcOutbox commits,
            EventMaker maker,
            Write write) {
        JoinRules rules = new JoinRules(name, known(dataSource));
        return new SpringOutbox(rules, maker, new StoredEvents(rules.dataSource(), connections, commits), write);
    }

    /**
     * An outbox that stores nothing, and sends straight after the commit.
     *
     * @param name       the bean name of the data source
     * @param dataSource whose transactions are joined
     * @param config     what is accepted
     * @param routes     where events are sent; asked for after a commit
     */
    public static SpringOutbox direct(
            String name,
            DataSource dataSource,
            OutboxConfig config,
            EventMaker maker,
            Supplier<DirectRoutes> routes,
            MeterRegistry registry) {
        JoinRules rules = new JoinRules(name, known(dataSource));
        return new SpringOutbox(rules, maker, new DirectEvents(config, routes, registry), Write.BEFORE_COMMIT);
    }

    /** What transaction managers bind their connections to. */
    private static DataSource known(DataSource dataSource) {
        DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : target;
    }

    @Override
    public boolean isOpen() {
        return rules.isOpen();
    }

    @Override
    public UUID publish(Event event) {
        publishAll(List.of(event));
        return event.id();
    }

    @Override
    public List<UUID> publishAll(Collection<Event> events) {
        rules.check();
        List<Event> prepared = events.stream().map(maker::prepare).toList();
        sink.check(prepared);
        batch().add(prepared);
        return prepared.stream().map(Event::id).toList();
    }

    @Override
    public UUID publish(Object value) {
        return publish(value instanceof Event event ? event : maker.event(value));
    }

    @Override
    public UUID publish(String destination, @Nullable String key, Object value) {
        return publish(maker.event(destination, key, value));
    }

    @Override
    public boolean cancel(UUID id) {
        rules.check();
        return batch().cancel(id);
    }

    private Batch batch() {
        return Batch.join(this, sink, write == Write.AT_ONCE);
    }
}
