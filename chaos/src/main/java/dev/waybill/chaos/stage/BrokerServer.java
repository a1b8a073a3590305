package dev.waybill.chaos.stage;

import dev.waybill.chaos.child.Arguments;
import dev.waybill.chaos.child.BrokerRole;
import dev.waybill.testkit.kafka.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;

/** A Kafka broker in a process of its own, that can be killed and started again with the data it had. Thread-safe. */
public final class BrokerServer implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(15);
    private static final int HEAP_MEGABYTES = 400;
    private static final String HOST = "127.0.0.1:";

    private final int port = FreePorts.next();
    private final int controllerPort = FreePorts.next();
    private final List<Integer> relayPorts;
    private final Slot slot;

    /**
     * Prepares a broker.
     *
     * @param proxyPorts where each relay reaches it
     */
    BrokerServer(Path folder, List<Integer> relayPorts, List<Integer> proxyPorts) {
        this.relayPorts = List.copyOf(relayPorts);
        String pairs = IntStream.range(0, relayPorts.size())
                .mapToObj(i -> relayPorts.get(i) + ":" + proxyPorts.get(i))
                .collect(Collectors.joining(","));
        List<String> arguments = Arguments.none()
                .with("folder", folder.resolve("kafka"))
                .with("port", port)
                .with("controllerPort", controllerPort)
                .with("relayPorts", pairs)
                .words();
        slot = new Slot(
                "broker", folder.resolve("broker.log"), () -> Slot.java(BrokerRole.NAME, HEAP_MEGABYTES, arguments));
    }

    /** For everybody but relays. */
    public String bootstrapServers() {
        return HOST + port;
    }

    /** Starts it, and returns when it accepts connections. */
    public void start() {
        slot.start();
        Servers.awaitPort("the broker", relayPorts.get(0), START);
    }

    public void kill() {
        slot.kill();
    }

    void createTopics(List<String> names, int partitions) {
        List<NewTopic> topics = names.stream()
                // The broker's time of arrival: that of the record is when it was first sent.
                .map(name -> new NewTopic(name, partitions, (short) 1)
                        .configs(Map.of("message.timestamp.type", "LogAppendTime")))
                .toList();
        Map<String, Object> properties = Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
        try (Admin admin = Admin.create(properties)) {
            admin.createTopics(topics).all().get(START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("The topics could not be created", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    Slot slot() {
        return slot;
    }

    @Override
    public void close() {
        slot.end(STOP);
    }
}
