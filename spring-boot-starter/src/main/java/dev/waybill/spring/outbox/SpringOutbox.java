package dev.waybill.spring.outbox;

import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.OutboxLimitException;
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
    private final Supplier<PayloadLimits> limits;
    private final Write write;

    private SpringOutbox(
            JoinRules rules, EventMaker maker, EventSink sink, Supplier<PayloadLimits> limits, Write write) {
        this.rules = rules;
        this.maker = maker;
        this.sink = sink;
        this.limits = limits;
        this.write = write;
    }

    /**
     * An outbox that stores.
     *
     * @param name        the bean name of the data source
     * @param dataSource  whose transactions are joined
     * @param connections for what comes too late for a transaction
     * @param commits     the tables
     * @param limits      what can be carried; asked for when the first event is published
     */
    public static SpringOutbox stored(
            String name,
            DataSource dataSource,
            DataSource connections,
            JdbcOutbox commits,
            EventMaker maker,
            Supplier<PayloadLimits> limits,
            Write write) {
        JoinRules rules = new JoinRules(name, known(dataSource));
        StoredEvents stored = new StoredEvents(rules.dataSource(), connections, commits);
        return new SpringOutbox(rules, maker, stored, limits, write);
    }

    /**
     * An outbox that stores nothing, and sends straight after the commit.
     *
     * @param name       the bean name of the data source
     * @param dataSource whose transactions are joined
     * @param config     what is accepted
     * @param limits     what can be carried; asked for when the first event is published
     * @param routes     where events are sent; asked for after a commit
     */
    public static SpringOutbox direct(
            String name,
            DataSource dataSource,
            OutboxConfig config,
            EventMaker maker,
            Supplier<PayloadLimits> limits,
            Supplier<DirectRoutes> routes,
            MeterRegistry registry) {
        JoinRules rules = new JoinRules(name, known(dataSource));
        DirectEvents direct = new DirectEvents(config, routes, registry);
        return new SpringOutbox(rules, maker, direct, limits, Write.BEFORE_COMMIT);
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
        prepared.forEach(this::checkThatItCanBeCarried);
        batch().add(prepared);
        return prepared.stream().map(Event::id).toList();
    }

    /** What no try can deliver would be a dead letter; here the caller can still do something about it. */
    private void checkThatItCanBeCarried(Event event) {
        int size = event.payload().size();
        int carried = limits.get().of(event.destination());
        if (size > carried) {
            throw new OutboxLimitException(
                    "payloadLimits",
                    "Event " + event.id() + " of type " + event.type() + " is too large: its payload is " + size
                            + ", and the transport of destination \"" + event.destination() + "\" carries at most "
                            + carried + ". Make it smaller (publish a reference to what is large), or let the transport"
                            + " carry more (Kafka: waybill.kafka.producer-properties.max.request.size).");
        }
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
