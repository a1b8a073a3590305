package dev.waybill.examples.shop.demo;

import dev.waybill.event.Event;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.ConfigurableApplicationContext;

/** A running service of the shop: its Spring context, and what the demo needs of it. Thread-safe. */
final class Service implements AutoCloseable {
    private final String name;
    private final ConfigurableApplicationContext context;
    private final Consumers consumers;
    private final Transport handlers;
    private final OutboxUnit unit;
    private final JdbcOutboxStore siding;

    Service(String name, ConfigurableApplicationContext context) {
        this.name = name;
        this.context = context;
        consumers = context.getBean(Consumers.class);
        handlers = consumers.transport();
        siding = consumers.siding().orElseThrow();
        unit = context.getBean(OutboxUnit.class);
    }

    String name() {
        return name;
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** What hands events to the service's handlers, whoever sent them. */
    Transport handlers() {
        return handlers;
    }

    boolean handles(Event event) {
        return consumers.handles(event);
    }

    OutboxUnit unit() {
        return unit;
    }

    /** Where its consumers put aside what failed. */
    JdbcOutboxStore siding() {
        return siding;
    }

    MeterRegistry meters() {
        return bean(MeterRegistry.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
