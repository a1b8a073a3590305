package dev.waybill.spring.inbox;

import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SidingRelay;
import dev.waybill.relay.Relay;
import dev.waybill.spring.Phases;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.Transport;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The consumers of an application, made of its methods with {@link dev.waybill.spring.EventHandler} when all beans are known;
 * while it runs, what they put aside is tried again. Thread-safe.
 */
public final class Consumers implements SmartInitializingSingleton, SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(Consumers.class);

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<InboxTables> tables;
    private final Supplier<Handling> handling;
    private final HandlerThreads threads;
    private final ConsumerPlan plan;
    private final Duration patience;
    private volatile State state = State.NONE;
    private volatile @Nullable Relay relay;

    /** What was found. Immutable. */
    private record State(
            List<HandlerMethod> handlers,
            List<InboxConsumer<Connection>> enabled,
            @Nullable JdbcOutboxStore siding,
            HandlerTransport transport) {
        static final State NONE =
                new State(List.of(), List.of(), null, HandlerTransport.to(Runnable::run, List.of(), Map.of()));
    }

    /**
     * Consumers of the beans of a factory.
     *
     * @param tables   asked for if there are handlers
     * @param handling asked for if there are handlers
     * @param patience how long the end waits for what is being tried again
     */
    public Consumers(
            ConfigurableListableBeanFactory beans,
            Supplier<InboxTables> tables,
            Supplier<Handling> handling,
            HandlerThreads threads,
            ConsumerPlan plan,
            Duration patience) {
        this.beans = beans;
        this.tables = tables;
        this.handling = handling;
        this.threads = threads;
        this.plan = plan;
        this.patience = patience;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<HandlerMethod> handlers = plan.enabled() ? new HandlerScan(beans).find() : List.of();
        Map<String, List<HandlerMethod>> byConsumer = new TreeMap<>();
        handlers.forEach(handler -> byConsumer
                .computeIfAbsent(handler.consumer(), name -> new ArrayList<>())
                .add(handler));
        plan.check().accept(byConsumer.keySet());
        if (!handlers.isEmpty()) {
            state = state(handlers, byConsumer);
        }
    }

    private State state(List<HandlerMethod> handlers, Map<String, List<HandlerMethod>> byConsumer) {
        InboxTables opened = tables.get();
        JdbcOutboxStore siding = opened.openSiding();
        SpringInbox inbox = opened.inbox(siding);
        handlers.forEach(handler -> HandlerTransactions.requireManager(beans, handler, inbox.transactionManager()));
        ConsumerFactory factory = new ConsumerFactory(beans, inbox, handling.get());
        Map<String, InboxConsumer<?>> all = new TreeMap<>();
        List<InboxConsumer<Connection>> enabled = new ArrayList<>();
        byConsumer.forEach((name, methods) -> {
            ConsumerSettings settings = plan.of(name);
            InboxConsumer<Connection> consumer = factory.make(name, methods, settings);
            all.put(name, consumer);
            if (settings.enabled()) {
                enabled.add(consumer);
            } else {
                log.info("Consumer {} is switched off; what is delivered to it within the process waits", name);
            }
        });
        // Checks the consumers as well: better not to start than to find out with the first event.
        HandlerTransport transport = HandlerTransport.to(threads, handlers, all);
        return new State(handlers, List.copyOf(enabled), siding, transport);
    }

    /** The consumers that run in this process, by name. */
    public List<InboxConsumer<Connection>> all() {
        return state.enabled;
    }

    /** The destinations that the handlers of a consumer name; an empty one: any. */
    public Set<String> destinations(String consumer) {
        Set<String> destinations = new TreeSet<>();
        state.handlers.stream()
                .filter(handler -> handler.consumer().equals(consumer))
                .forEach(handler -> destinations.add(handler.destination()));
        return destinations;
    }

    /** Whether a handler of this application takes the event. */
    public boolean handles(Event event) {
        return state.transport.handles(event);
    }

    /** Delivers within the process. Closing it does nothing. */
    public Transport transport() {
        return new Transport() {
            @Override
            public void send(List<Delivery> batch, DeliveryListener listener) {
                state.transport.send(batch, listener);
            }

            @Override
            public void close() {}

            @Override
            public String toString() {
                return "in-process";
            }
        };
    }

    /** Where consumers put aside what they could not handle, and their dead letters are; empty without handlers. */
    public Optional<JdbcOutboxStore> siding() {
        return Optional.ofNullable(state.siding);
    }

    /** What tries again what was put aside; empty while nothing runs. */
    public Optional<Relay> sidingRelay() {
        return Optional.ofNullable(relay);
    }

    @Override
    public synchronized void start() {
        State found = state;
        if (relay == null && !found.enabled.isEmpty()) {
            relay = SidingRelay.start(
                    Objects.requireNonNull(found.siding),
                    threads,
                    handling.get().registry(),
                    found.enabled.toArray(InboxConsumer<?>[]::new));
        }
    }

    @Override
    public synchronized void stop() {
        Relay running = relay;
        relay = null;
        if (running != null) {
            running.stop(patience);
        }
    }

    /** Ends as a crash would: for tests of what happens then. */
    public synchronized void kill() {
        Relay running = relay;
        relay = null;
        if (running != null) {
            running.kill();
        }
    }

    @Override
    public boolean isRunning() {
        return relay != null;
    }

    @Override
    public int getPhase() {
        return Phases.SIDING;
    }
}
