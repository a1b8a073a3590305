package dev.waybill.transport.kafka;

import dev.waybill.OneLine;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The properties of Kafka's clients: what Waybill needs, what suits it, and what it refuses. */
final class ProducerSettings {
    /**
     * How long a call to the producer may hold the sender thread, for the topic's metadata or for room in the buffer. Short,
     * because all destinations of the transport wait behind it.
     */
    static final Duration LONGEST_BLOCK = Duration.ofSeconds(1);

    /** What nobody may set, and why. */
    private static final Map<String, String> REFUSED = Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "it has a setting of its own",
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "keys are the UTF-8 bytes of the event's key",
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "the payload is delivered as it is",
            ProducerConfig.PARTITIONER_CLASS_CONFIG, "events of a key must stay in one partition to stay in order",
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                    "ExactlyOnceKafkaTransport names its transactions itself, and without them nothing would arrive",
            ProducerConfig.MAX_BLOCK_MS_CONFIG, "all destinations of the transport would wait behind one that blocks",
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "use withDeliveryTimeout, it must fit the relay's time-out");

    private ProducerSettings() {}

    /** Refuses what would break a promise, and what Kafka itself does not take. */
    static void check(String bootstrapServers, Duration deliveryTimeout, Map<String, String> own) {
        own.forEach((name, value) -> {
            String reason = REFUSED.get(name);
            if (reason != null) {
                throw refused(name, value, reason);
            }
        });
        requireValue(own, ProducerConfig.ACKS_CONFIG, "all|-1", "an acknowledged event could be lost with one broker");
        requireValue(
                own,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                "true",
                "a retry of the producer could write an event twice");
        requireValue(
                own,
                ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
                "false",
                "events of a key must stay in one partition to stay in order");
        requireValue(
                own,
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                "[1-5]",
                "it must be 1 to 5, brokers tell duplicates of a producer only among its last 5 requests");
        try {
            requireFitting(new ProducerConfig(producer(bootstrapServers, deliveryTimeout, own)), deliveryTimeout);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(
                    "Kafka's producer does not take these properties: " + OneLine.of(String.valueOf(e.getMessage())),
                    e);
        }
    }

    /** The producer itself would refuse this only when it is opened or used. */
    private static void requireFitting(ProducerConfig config, Duration deliveryTimeout) {
        long request = config.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        long linger = config.getLong(ProducerConfig.LINGER_MS_CONFIG);
        if (request + linger > deliveryTimeout.toMillis()) {
            throw new IllegalArgumentException("request.timeout.ms " + request + " and linger.ms " + linger
                    + " do not fit into the delivery time-out of " + deliveryTimeout + "; raise that first.");
        }
        long buffer = config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG);
        int batch = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
        if (batch > buffer) {
            throw new IllegalArgumentException("batch.size " + batch + " does not fit into buffer.memory " + buffer
                    + ": no record could ever be sent.");
        }
    }

    /** The properties of the producer. */
    static Map<String, Object> producer(String bootstrapServers, Duration deliveryTimeout, Map<String, String> own) {
        Map<String, Object> all = new HashMap<>();
        // Large batches form by themselves while earlier ones are on their way; waiting for more would only add
        // latency.
        all.put(ProducerConfig.LINGER_MS_CONFIG, "1");
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, String.valueOf(128 * 1024));
        // A request that is not answered within this time goes again on a new connection, within the delivery time-out.
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestTimeout(deliveryTimeout));
        reconnectQuickly(all);
        all.putAll(own);
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, String.valueOf(LONGEST_BLOCK.toMillis()));
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, String.valueOf(deliveryTimeout.toMillis()));
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return all;
    }

    /**
     * The properties of the producer without transactions. By default it has one request on its way to each broker, so that behind
     * a record that fails nothing of its partition has left.
     */
    static Map<String, Object> idempotent(KafkaTransportConfig config) {
        Map<String, Object> all = producer(config.bootstrapServers(), config.deliveryTimeout(), config.properties());
        all.putIfAbsent(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
        return all;
    }

    static boolean hasOneRequestOnItsWay(KafkaTransportConfig config) {
        return new ProducerConfig(idempotent(config)).getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION) == 1;
    }

    /** Time for a second try on a new connection, if the first one is dead without a word. */
    private static String requestTimeout(Duration deliveryTimeout) {
        return String.valueOf(deliveryTimeout.multipliedBy(2).dividedBy(5).toMillis());
    }

    /** The properties of the client that looks after topics: the producer's, without what only a producer has. */
    static Map<String, Object> admin(String bootstrapServers, Map<String, String> own) {
        Map<String, Object> all = new HashMap<>();
        reconnectQuickly(all);
        own.forEach((name, value) -> {
            boolean ofProducersOnly = ProducerConfig.configNames().contains(name)
                    && !AdminClientConfig.configNames().contains(name);
            if (!ofProducersOnly) {
                all.put(name, value);
            }
        });
        all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        askAgainSoon(all);
        return all;
    }

    /**
     * A connection may be dead without a word. A call that was sent on one is noticed by the time-out of requests. One that never
     * answered its first request counts as about to be ready, for ever, so only its idleness ends it. Half of a look each
     * leaves time for a new connection.
     */
    private static void askAgainSoon(Map<String, Object> all) {
        String half = String.valueOf(Topics.LONGEST_LOOK.dividedBy(2).toMillis());
        all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, half);
        all.put(AdminClientConfig.CONNECTIONS_MAX_IDLE_MS_CONFIG, half);
        all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, String.valueOf(Topics.LONGEST_LOOK.toMillis()));
    }

    /** The properties of a consumer that reads what is committed, and nothing else: the producer's that it shares. */
    static Map<String, Object> reader(String bootstrapServers, Duration deliveryTimeout, Map<String, String> own) {
        Map<String, Object> all = new HashMap<>();
        all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestTimeout(deliveryTimeout));
        reconnectQuickly(all);
        own.forEach((name, value) -> {
            boolean ofProducersOnly = ProducerConfig.configNames().contains(name)
                    && !ConsumerConfig.configNames().contains(name);
            if (!ofProducersOnly) {
                all.put(name, value);
            }
        });
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        // What it reads is there. A fetch that waits for more would hold up whatever goes over its connection next.
        all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "10");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        return all;
    }

    /** The largest request, and thus the largest record. */
    static int maxRequestBytes(KafkaTransportConfig config) {
        return new ProducerConfig(producer(config.bootstrapServers(), config.deliveryTimeout(), config.properties()))
                .getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    }

    /** After an outage the first try must come soon; with Kafka's own backoff it may be seconds late. */
    static void reconnectQuickly(Map<String, Object> all) {
        all.put(ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG, "50");
        all.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "250");
        all.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, "50");
        all.put(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, "250");
        all.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, "2000");
        all.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, "4000");
        all.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, "false");
    }

    private static void requireValue(Map<String, String> own, String name, String allowed, String reason) {
        String value = own.get(name);
        if (value != null && !value.strip().toLowerCase(Locale.ROOT).matches(allowed)) {
            throw refused(name, value, reason);
        }
    }

    private static IllegalArgumentException refused(String name, String value, String reason) {
        return new IllegalArgumentException("Property " + name + "=" + value + " is refused: " + reason + ".");
    }
}
