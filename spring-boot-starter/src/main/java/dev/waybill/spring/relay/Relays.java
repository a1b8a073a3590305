package dev.waybill.spring.relay;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.spring.Phases;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.store.ShardSet;
import dev.waybill.store.jdbc.PostgresListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.SmartLifecycle;

/** The relays of an application, one for each outbox, while it runs; they can be stopped and started again. Thread-safe. */
public final class Relays implements SmartLifecycle {
    private final List<OutboxUnit> units;
    private final RouteTable routes;
    private final RelayConfig config;
    private final MeterRegistry registry;
    private final boolean enabled;
    private final Duration patience;
    private final Map<String, Relay> running = new ConcurrentHashMap<>();
    private final List<PostgresListener> listeners = new ArrayList<>();

    /**
     * Relays that are not yet started.
     *
     * @param enabled  whether they start with the application
     * @param patience how long the end waits for what is on its way
     */
    public Relays(
            List<OutboxUnit> units,
            RouteTable routes,
            RelayConfig config,
            MeterRegistry registry,
            boolean enabled,
            Duration patience) {
        this.units = List.copyOf(units);
        this.routes = routes;
        this.config = config;
        this.registry = registry;
        this.enabled = enabled;
        this.patience = patience;
        // Once: a relay that is started anew takes the place of the one before.
        this.units.forEach(unit -> unit.commits().afterCommit(shards -> wakeUp(unit, shards)));
    }

    /** Those that run. */
    public List<Relay> relays() {
        return List.copyOf(running.values());
    }

    /** The one of an outbox, if it runs. */
    public Optional<Relay> relay(OutboxUnit unit) {
        return Optional.ofNullable(running.get(unit.name()));
    }

    /** A relay like that of the application, with all of its routes, for whoever wants to run further ones. */
    public Relay.Builder builder(OutboxUnit unit) {
        Relay.Builder builder = Relay.builder(unit.store()).config(config).metrics(registry);
        routes.addTo(builder);
        return builder;
    }

    private void wakeUp(OutboxUnit unit, ShardSet shards) {
        Relay relay = running.get(unit.name());
        if (relay != null) {
            relay.wakeUp(shards);
        }
    }

    @Override
    public synchronized void start() {
        if (isRunning()) {
            return;
        }
        // All of them first: what cannot work must not leave half of them running.
        List<Relay> built = units.stream().map(unit -> builder(unit).build()).toList();
        for (int i = 0; i < built.size(); i++) {
            OutboxUnit unit = units.get(i);
            running.put(unit.name(), built.get(i).start());
            if (unit.signals()) {
                listeners.add(PostgresListener.start(
                        unit.connections(), unit.store().config(), shards -> wakeUp(unit, shards)));
            }
        }
    }

    /** All at once, so that one that takes long leaves time for the others. */
    @Override
    public synchronized void stop() {
        endListening();
        List<Thread> ends = new ArrayList<>();
        for (Relay relay : running.values()) {
            Thread end = new Thread(() -> relay.stop(patience), "waybill-relay-stop");
            end.start();
            ends.add(end);
        }
        running.clear();
        try {
            for (Thread end : ends) {
                end.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends as a crash would, with nothing settled or given back: for tests of what happens then. */
    public synchronized void kill() {
        endListening();
        running.values().forEach(Relay::kill);
        running.clear();
    }

    private void endListening() {
        listeners.forEach(PostgresListener::close);
        listeners.clear();
    }

    @Override
    public boolean isRunning() {
        return !running.isEmpty();
    }

    @Override
    public boolean isAutoStartup() {
        return enabled;
    }

    @Override
    public int getPhase() {
        return Phases.RELAYS;
    }
}
