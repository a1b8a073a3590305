package dev.waybill.server.demo;

import dev.waybill.server.cli.UsageException;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Transport;
import dev.waybill.transport.kafka.KafkaTransport;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic of Kafka and a consumer that reads it, with a broker in this JVM or on brokers of the user. Thread-safe.
 *
 * <p>What is checked is what a consumer sees: events are told apart by the id in the records' headers.
 */
final class KafkaDestination implements DemoDestination {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaDestination.class);
    private static final String PREFIX = "waybill-demo-";
    private static final int PARTITIONS = 6;
    private static final Duration ADMIN_CALL = Duration.ofSeconds(15);

    private final @Nullable KafkaBroker own;
    private final String brokers;
    private final String topicPrefix;
    private final boolean grouped;
    private final KafkaArrivals reader;
    // Beside the broker's own state, which cannot be asked while it starts or stops.
    private volatile boolean up = true;

    private KafkaDestination(
            @Nullable KafkaBroker own, String brokers, Ledger ledger, @Nullable FaultyConsumer consumer) {
        this.own = own;
        this.brokers = brokers;
        topicPrefix = PREFIX + UUID.randomUUID().toString().substring(0, 8) + "-";
        grouped = consumer != null;
        createTopic();
        reader = consumer == null
                ? KafkaReader.start(brokers, topic(), PARTITIONS, ledger)
                : consumer.read(brokers, topic(), group());
    }

    /** With a broker in this JVM, whose data go with the folder. */
    static KafkaDestination start(Path folder, Ledger ledger, @Nullable FaultyConsumer consumer) {
        KafkaBroker broker = KafkaBroker.start(folder.resolve("kafka"));
        return new KafkaDestination(broker, broker.bootstrapServers(), ledger, consumer);
    }

    /** On brokers of the user, where only a topic with the demo's own prefix is touched. */
    static KafkaDestination connect(String brokers, Ledger ledger, @Nullable FaultyConsumer consumer) {
        return new KafkaDestination(null, brokers, ledger, consumer);
    }

    @Override
    public String description() {
        return own == null ? "Kafka " + brokers : "Kafka in this JVM";
    }

    @Override
    public String name() {
        return "broker";
    }

    /** As if the relay were a process: a producer of its own. */
    @Override
    public Transport transport() {
        return KafkaTransport.create(
                KafkaTransportConfig.of(brokers).withSource("/waybill/demo").withTopics(name -> topicPrefix + name));
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public boolean canGoDown() {
        return own != null;
    }

    @Override
    public void goDown() {
        if (own != null) {
            up = false;
            own.stop();
        }
    }

    @Override
    public void comeUp() {
        if (own != null) {
            own.start();
            up = true;
        }
    }

    @Override
    public boolean awaitArrivals(Duration atMost) {
        return reader.awaitEnd(atMost);
    }

    @Override
    public void close() {
        reader.close();
        if (own == null) {
            deleteTopic();
        } else {
            own.close();
        }
    }

    private String topic() {
        return topicPrefix + Shop.DESTINATION;
    }

    private String group() {
        return topicPrefix + "group";
    }

    private void createTopic() {
        try (Admin admin = admin()) {
            NewTopic topic = new NewTopic(topic(), Optional.of(PARTITIONS), Optional.empty());
            admin.createTopics(List.of(topic)).all().get(ADMIN_CALL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            closeOwn();
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            throw new UsageException("the topic " + topic() + " could not be created on " + brokers + ": " + cause, e);
        } catch (InterruptedException e) {
            closeOwn();
            Thread.currentThread().interrupt();
            throw new UsageException("interrupted while the topic was created", e);
        }
    }

    private void closeOwn() {
        if (own != null) {
            own.close();
        }
    }

    private void deleteTopic() {
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(topic())).all().get(ADMIN_CALL.toMillis(), TimeUnit.MILLISECONDS);
            if (grouped) {
                admin.deleteConsumerGroups(List.of(group())).all().get(ADMIN_CALL.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.warn("The topic {} or its group could not be deleted", topic(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
