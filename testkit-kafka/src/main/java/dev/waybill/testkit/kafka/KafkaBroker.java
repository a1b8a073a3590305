package dev.waybill.testkit.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker with its controller (KRaft) in this JVM, that can be stopped and started again. Thread-safe.
 *
 * <p>It keeps its port and its data while it is stopped: what a client sees is an outage of a real broker. The folder belongs
 * to the caller and stays. It is made for one machine: one replica of everything, loopback only, and no topic comes into
 * being unless somebody creates it.
 *
 * <p>Kafka logs through SLF4J and is talkative; {@code org.apache.kafka}, {@code kafka} and {@code state.change.logger} at
 * ERROR keep it quiet.
 */
public final class KafkaBroker implements AutoCloseable {
    /** A start takes one to three seconds; a machine under load may need more. */
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(30);
    private static final Duration LONGEST_ADMIN_CALL = Duration.ofSeconds(20);

    static {
        // Kafka ends the JVM when a broker fails badly. Here that would be the JVM of the tests.
        Exit.setExitProcedure(KafkaBroker::refuseToExit);
        Exit.setHaltProcedure(KafkaBroker::refuseToExit);
    }

    private final Path folder;
    private final int port;
    private final KafkaConfig config;
    private @Nullable KafkaRaftServer server;

    private KafkaBroker(Path folder, int port, KafkaConfig config) {
        this.folder = folder;
        this.port = port;
        this.config = config;
    }

    /** Starts a broker on a free port, with its data in the folder, which need not exist. */
    public static KafkaBroker start(Path folder) {
        return start(folder, Map.of());
    }

    /**
     * Starts a broker with settings of its own.
     *
     * @param settings broker properties that come on top of the usual ones; clients come in through the listener
     *                 {@code CLIENT}
     */
    public static KafkaBroker start(Path folder, Map<String, String> settings) {
        BrokerSettings complete = BrokerSettings.on(folder, settings);
        format(folder);
        KafkaBroker broker = new KafkaBroker(folder, complete.port(), new KafkaConfig(complete.properties(), false));
        broker.start();
        return broker;
    }

    /** Where clients connect; the same before and after an outage. */
    public String bootstrapServers() {
        return BrokerSettings.HOST + ":" + port;
    }

    /** Starts it again, with the data that it had. Does nothing if it runs. Returns when it accepts requests. */
    public synchronized void start() {
        if (server != null) {
            return;
        }
        KafkaRaftServer starting = new KafkaRaftServer(config, Time.SYSTEM);
        // Set before it runs, so that stop() also ends one that failed half-way.
        server = starting;
        try {
            await("start", starting::startup, LONGEST_START);
        } catch (RuntimeException e) {
            try {
                stop();
            } catch (RuntimeException stopping) {
                e.addSuppressed(stopping);
            }
            throw e;
        }
    }

    /** Stops it in an orderly way: connections break, and nobody listens on the port. Does nothing if it is stopped. */
    public synchronized void stop() {
        KafkaRaftServer running = server;
        if (running == null) {
            return;
        }
        server = null;
        await(
                "stop",
                () -> {
                    running.shutdown();
                    running.awaitShutdown();
                },
                LONGEST_STOP);
    }

    public synchronized boolean isRunning() {
        return server != null;
    }

    /** Creates a topic and returns when it exists. */
    public void createTopic(String name, int partitions) {
        createTopic(name, partitions, Map.of());
    }

    /** Creates a topic with settings of its own and returns when it exists. For brokers without authentication. */
    public void createTopic(String name, int partitions, Map<String, String> settings) {
        Map<String, Object> properties = Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
        try (Admin admin = Admin.create(properties)) {
            admin.createTopics(Set.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
                    .all()
                    .get(LONGEST_ADMIN_CALL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Topic " + name + " could not be created on " + this + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while topic " + name + " was being created.", e);
        }
    }

    /** Stops the broker; its folder stays. Idempotent. */
    @Override
    public void close() {
        stop();
    }

    @Override
    public String toString() {
        return "Kafka broker " + bootstrapServers() + " in " + folder;
    }

    /** Gives the folder the identity that a broker wants to find there, unless it has one. */
    private static void format(Path folder) {
        try {
            Files.createDirectories(folder);
            if (Files.exists(folder.resolve("meta.properties"))) {
                return;
            }
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setClusterId(Uuid.randomUuid().toString())
                    .setNodeId(BrokerSettings.NODE_ID)
                    .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
                    .setMetadataLogDirectory(folder.toString())
                    .addDirectory(folder.toString())
                    .run();
        } catch (IOException e) {
            throw new IllegalStateException("The folder " + folder + " cannot be used for a Kafka broker: " + e, e);
        } catch (Exception e) {
            throw new IllegalStateException("The folder " + folder + " could not be formatted for Kafka: " + e, e);
        }
    }

    /** On a thread of its own: Kafka's own waits have no end that suits a test. */
    private void await(String what, Runnable action, Duration atMost) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                        done.complete(null);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                },
                "kafka-broker-" + what);
        thread.setDaemon(true);
        thread.start();
        try {
            done.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(this + " did not " + what + " within " + atMost
                    + "; look at the log of org.apache.kafka and kafka at INFO for what it waits for.");
        } catch (ExecutionException e) {
            throw new IllegalStateException(this + " failed to " + what + ": " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + this + " to " + what + ".", e);
        }
    }

    private static void refuseToExit(int status, @Nullable String message) {
        throw new IllegalStateException("The Kafka broker wanted to end the JVM with status " + status
                + (message == null ? "" : ": " + message) + "; look at its log.");
    }
}
