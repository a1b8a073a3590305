package dev.waybill.chaos.stage;

import dev.waybill.chaos.child.Arguments;
import dev.waybill.chaos.child.ConsumerRole;
import dev.waybill.chaos.child.RelayRole;
import dev.waybill.chaos.child.WriterRole;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.chaos.proxy.TcpProxy;
import dev.waybill.server.cli.Pools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All processes of a run, and the networks between them. Thread-safe. */
public final class Stage implements AutoCloseable {
    private static final Duration END = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int RELAY_MEGABYTES = 128;
    private static final int WRITER_MEGABYTES = 96;
    private static final int CONSUMER_MEGABYTES = 128;

    private final Settings settings;
    private final Path folder;
    private final Backstage servers;
    private final List<Slot> relays = new ArrayList<>();
    private final List<Slot> writers = new ArrayList<>();
    private final List<Slot> consumers = new ArrayList<>();
    private final AtomicInteger incarnations = new AtomicInteger();
    private volatile boolean closed;

    private Stage(Settings settings, Path folder, Backstage servers) {
        this.settings = settings;
        this.folder = folder;
        this.servers = servers;
        for (int i = 0; i < settings.relays(); i++) {
            relays.add(relay(i));
        }
        for (int i = 0; i < settings.writers(); i++) {
            writers.add(writer(i));
        }
        for (int i = 0; i < settings.consumers(); i++) {
            consumers.add(consumer(i));
        }
    }

    /** Starts the servers, and looks after all processes from now on. Those of the fleet are not started yet. */
    public static Stage open(Settings settings, Path folder, Databases database) {
        Stage stage = new Stage(settings, folder, Backstage.open(settings, folder, database));
        Thread supervisor = new Thread(stage::supervise, "supervisor");
        supervisor.setDaemon(true);
        supervisor.start();
        return stage;
    }

    private Slot relay(int number) {
        DatabaseServer database = servers.database();
        Pools.Target target = database.through(
                database.target(), servers.databaseLinks().get(number).port());
        List<String> arguments = connecting(target)
                .with(
                        "brokers",
                        "127.0.0.1:" + servers.brokerLinks().get(number).port())
                .with("lease", settings.lease())
                .with("window", settings.window())
                .with("mode", settings.mode())
                .words();
        return slot(RelayRole.NAME, number, () -> Slot.java(RelayRole.NAME, RELAY_MEGABYTES, arguments));
    }

    /** Each process has a journal of its own: what it writes must not depend on what the one before left. */
    private Slot writer(int number) {
        return slot(WriterRole.NAME, number, () -> {
            int incarnation = incarnations.incrementAndGet();
            List<String> arguments = connecting(servers.database().target())
                    .with("writer", number)
                    .with("incarnation", incarnation)
                    .with("seed", settings.seed())
                    .with("rate", Math.max(1, settings.rate() / settings.writers()))
                    .with("journal", folder.resolve(Evidence.journal(incarnation)))
                    .words();
            return Slot.java(WriterRole.NAME, WRITER_MEGABYTES, arguments);
        });
    }

    private Slot consumer(int number) {
        List<String> arguments = connecting(servers.consumersTarget())
                .with("brokers", servers.broker().bootstrapServers())
                .with("session", settings.lease())
                .with("arrivals", folder.resolve(Evidence.arrivals(number)))
                .words();
        return slot(ConsumerRole.NAME, number, () -> Slot.java(ConsumerRole.NAME, CONSUMER_MEGABYTES, arguments));
    }

    private Slot slot(String role, int number, Supplier<List<String>> command) {
        String name = role + "-" + (number + 1);
        return new Slot(name, folder.resolve(name + ".log"), command);
    }

    private static Arguments connecting(Pools.Target target) {
        return Arguments.none()
                .with("url", target.url())
                .with("user", String.valueOf(target.user()))
                .with("password", target.password() == null ? "" : target.password());
    }

    private void supervise() {
        while (!closed) {
            Stream.of(relays, writers, consumers, List.of(servers.broker().slot()))
                    .flatMap(List::stream)
                    .forEach(Slot::supervise);
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    public DatabaseServer database() {
        return servers.database();
    }

    /** Leaves the database no room on its disk. */
    public void fillDisk() {
        disk().fill();
    }

    /** Gives it room again, and starts the database if that has ended. Returns when it accepts connections. */
    public void freeDisk() {
        disk().free();
        database().start();
    }

    private SmallDisk disk() {
        SmallDisk disk = servers.disk();
        if (disk == null) {
            throw new IllegalStateException("The database has no disk of its own");
        }
        return disk;
    }

    /** How to reach the schema of the consumers. */
    public Pools.Target consumersTarget() {
        return servers.consumersTarget();
    }

    public BrokerServer broker() {
        return servers.broker();
    }

    public List<TcpProxy> databaseLinks() {
        return servers.databaseLinks();
    }

    public List<TcpProxy> brokerLinks() {
        return servers.brokerLinks();
    }

    public List<Slot> relays() {
        return List.copyOf(relays);
    }

    public List<Slot> writers() {
        return List.copyOf(writers);
    }

    public List<Slot> consumers() {
        return List.copyOf(consumers);
    }

    /** How often a process ended without being told to. */
    public int ownEnds() {
        return Stream.of(relays, writers, consumers)
                .flatMap(List::stream)
                .mapToInt(Slot::ownEnds)
                .sum();
    }

    /** Lets all writers end the transactions that they have begun. */
    public void endWriters() {
        writers.parallelStream().forEach(slot -> slot.end(END));
    }

    @Override
    public void close() {
        closed = true;
        Stream.of(relays, writers, consumers).flatMap(List::stream).forEach(Slot::kill);
        servers.close();
    }
}
