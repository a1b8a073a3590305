package dev.waybill.examples.shop.demo;

import dev.waybill.server.cli.UsageException;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Topics of Kafka, on a broker in this JVM or on brokers of the user. Thread-safe. */
final class Broker implements Carrier {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
    private static final String PREFIX = "waybill-demo-";
    private static final List<String> DESTINATIONS = List.of("orders", "inventory", "payments");
    private static final int PARTITIONS = 6;
    private static final Duration ADMIN_CALL = Duration.ofSeconds(15);

    private final @Nullable KafkaBroker own;
    private final String brokers;
    private final String prefix = PREFIX + UUID.randomUUID().toString().substring(0, 8) + "-";
    // Beside the broker's own state, which cannot be asked while it starts or stops.
    private volatile boolean up = true;

    private Broker(@Nullable KafkaBroker own, String brokers) {
        this.own = own;
        this.brokers = brokers;
        createTopics();
    }

    /** With a broker in this JVM, whose data go with the folder. */
    static Broker start(Path folder) {
        KafkaBroker broker = KafkaBroker.start(folder.resolve("kafka"));
        return new Broker(broker, broker.bootstrapServers());
    }

    /** On brokers of the user, where only topics and groups with the demo's own prefix are touched. */
    static Broker connect(String brokers) {
        return new Broker(null, brokers);
    }

    @Override
    public String description() {
        return own == null ? "Kafka " + brokers : "Kafka in this JVM";
    }

    @Override
    public Map<String, Object> settings(String service) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("waybill.kafka.bootstrap-servers", brokers);
        settings.put("waybill.kafka.source", "/waybill/demo/" + service);
        settings.put("waybill.consumers." + service + ".group-id", prefix + service);
        DESTINATIONS.forEach(name -> settings.put("waybill.destinations." + name + ".topic", prefix + name));
        // Back soon after an outage: what is late here looks like latency of the relay.
        settings.put("waybill.kafka.consumer-properties[reconnect.backoff.max.ms]", "200");
        settings.put("waybill.kafka.consumer-properties[retry.backoff.max.ms]", "200");
        return settings;
    }

    @Override
    public @Nullable Transport transport() {
        return null;
    }

    /** Nothing: they find each other through the topics. */
    @Override
    public void connect(Iterable<Service> services) {}

    @Override
    public boolean canGoDown() {
        return own != null;
    }

    @Override
    public String goDown(RandomGenerator random) {
        if (own != null) {
            up = false;
            own.stop();
        }
        return "broker";
    }

    @Override
    public void comeUp() {
        if (own != null) {
            own.start();
            up = true;
        }
    }

    @Override
    public Optional<String> down() {
        return up ? Optional.empty() : Optional.of("broker");
    }

    @Override
    public void close() {
        if (own == null) {
            deleteTopics();
        } else {
            own.close();
        }
    }

    private void createTopics() {
        try (Admin admin = admin()) {
            List<NewTopic> topics = topics().map(
                            topic -> new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty()))
                    .toList();
            admin.createTopics(topics).all().get(ADMIN_CALL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            closeOwn();
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            throw new UsageException(
                    "the topics " + prefix + "... could not be created on " + brokers + ": " + cause, e);
        } catch (InterruptedException e) {
            closeOwn();
            Thread.currentThread().interrupt();
            throw new UsageException("interrupted while the topics were created", e);
        }
    }

    private void closeOwn() {
        if (own != null) {
            own.close();
        }
    }

    private void deleteTopics() {
        try (Admin admin = admin()) {
            admin.deleteTopics(topics().toList()).all().get(ADMIN_CALL.toMillis(), TimeUnit.MILLISECONDS);
            List<String> groups = admin.listGroups().all().get(ADMIN_CALL.toMillis(), TimeUnit.MILLISECONDS).stream()
                    .map(group -> group.groupId())
                    .filter(group -> group.startsWith(prefix))
                    .toList();
            admin.deleteConsumerGroups(groups).all().get(ADMIN_CALL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.warn("The topics {}... or their groups could not be deleted", prefix, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Stream<String> topics() {
        return DESTINATIONS.stream().map(name -> prefix + name);
    }

    private Admin admin() {
        return Admin.create(Map.of(
                "bootstrap.servers",
                brokers,
                "default.api.timeout.ms",
                String.valueOf(ADMIN_CALL.toMillis()),
                "request.timeout.ms",
                "5000"));
    }
}
