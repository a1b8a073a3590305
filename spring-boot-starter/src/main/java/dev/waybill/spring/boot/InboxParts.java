package dev.waybill.spring.boot;

import dev.waybill.event.PayloadCodec;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.resilience.Resilience;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.spring.Upcast;
import dev.waybill.spring.inbox.Handling;
import dev.waybill.spring.inbox.InboxTables;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Beans that consumers need once there is a handler, and not before: an application without handlers need not have them.
 *
 * @param dataSource what is used if events are not stored, so that there is no outbox
 */
record InboxParts(
        ObjectProvider<OutboxUnit> units,
        Supplier<DataSource> dataSource,
        ObjectProvider<PlatformTransactionManager> managers,
        ObjectProvider<PayloadCodec> codecs,
        ObjectProvider<Upcast> upcasts,
        ObjectProvider<HandlerInterceptor> interceptors,
        ObjectProvider<HandlerGuard> guards,
        ObjectProvider<Resilience> resilience,
        ObjectProvider<MeterRegistry> registries) {

    /** In the database of the primary outbox, whose connections they share. */
    InboxTables tables(WaybillProperties properties) {
        OutboxUnit unit = units.getIfAvailable();
        DataSource used = unit == null ? dataSource.get() : unit.dataSource();
        return new InboxTables(
                used,
                unit == null ? used : unit.connections(),
                config(properties),
                properties.store().migrate(),
                this::transactionManagers);
    }

    /** The usual one first: several may have the transactions of a data source, and handlers use that one. */
    private List<PlatformTransactionManager> transactionManagers() {
        Set<PlatformTransactionManager> all = new LinkedHashSet<>();
        managers.ifUnique(all::add);
        managers.orderedStream().forEach(all::add);
        return List.copyOf(all);
    }

    /** Like the outbox, but in tables of their own and without a history, which the producer has. */
    private static JdbcStoreConfig config(WaybillProperties properties) {
        WaybillProperties.Inbox inbox = properties.inbox();
        JdbcStoreConfig prefixed = CoreConfigs.checked(
                "waybill.inbox.table-prefix",
                () -> CoreConfigs.store(properties)
                        .withTablePrefix(inbox.tablePrefix())
                        .withRetention(Duration.ZERO));
        return CoreConfigs.checked("waybill.inbox.retention", () -> prefixed.withInboxRetention(inbox.retention()));
    }

    Handling handling(WaybillProperties properties) {
        return new Handling(
                codecs.getObject(),
                upcasts.orderedStream().toList(),
                interceptors.orderedStream().toList(),
                guard(),
                WaybillAutoConfiguration.meters(properties, registries));
    }

    /** A guard of the application's own goes before the circuit breakers. */
    private HandlerGuard guard() {
        return guards.getIfUnique(() -> {
            Resilience breakers = resilience.getIfUnique();
            return breakers == null ? HandlerGuard.none() : breakers.guard();
        });
    }
}
