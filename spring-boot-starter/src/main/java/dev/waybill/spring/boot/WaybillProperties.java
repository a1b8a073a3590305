package dev.waybill.spring.boot;

import dev.waybill.outbox.BacklogLimit;
import dev.waybill.resilience.WindowType;
import dev.waybill.spring.outbox.SpringOutbox;
import dev.waybill.store.DeadLetterPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * All settings. Immutable; docs/configuration.md is made from it.
 *
 * @param enabled      The one switch: if false, there is nothing of Waybill in the application.
 * @param dataSources  Bean names of the data sources that get an outbox and a relay each. Empty: the only one, or the primary one.
 */
@ConfigurationProperties("waybill")
public record WaybillProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> dataSources,
        @DefaultValue Outbox outbox,
        @DefaultValue Store store,
        @DefaultValue Relay relay,
        @DefaultValue Retry retry,
        @DefaultValue Map<String, Destination> destinations,
        @DefaultValue Inbox inbox,
        @DefaultValue Map<String, Consumer> consumers,
        @DefaultValue Kafka kafka,
        @DefaultValue Resilience resilience,
        @DefaultValue Health health,
        @DefaultValue Endpoint endpoint,
        @DefaultValue Metrics metrics,
        @DefaultValue Tracing tracing) {

    /** What happens to an event that a consumer has no handler for. */
    public enum UnknownTypes {
        /** It becomes a dead letter, where people see it. */
        DEAD_LETTER,
        /** It is passed over. */
        IGNORE
    }

    /**
     * The write path.
     *
     * @param enabled            Whether events are stored. If false, they are sent straight after the commit: a crash or an unavailable destination loses them.
     * @param write              When the events of a transaction are written.
     * @param transport          Transport of destinations that have none of their own: in-process, kafka, or the name of a Transport bean. Empty: kafka if its brokers are set, else in-process.
     * @param maxPayloadSize     Largest payload of an event.
     * @param maxHeaders         Most headers of an event.
     * @param maxHeaderSize      Most bytes of all header names and values of an event together.
     * @param destinations       The only destinations that are allowed. Empty: any.
     * @param strictDestinations Destinations whose keys are delivered in the order of commits even when transactions overlap.
     * @param backlogLimit       More pending events than these are too many. 0: no limit.
     * @param backlogAction      What is done about a publish beyond the limit.
     */
    public record Outbox(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("before-commit") SpringOutbox.Write write,
            @DefaultValue("") String transport,
            @DefaultValue("1MB") DataSize maxPayloadSize,
            @DefaultValue("64") int maxHeaders,
            @DefaultValue("16KB") DataSize maxHeaderSize,
            @DefaultValue Set<String> destinations,
            @DefaultValue Set<String> strictDestinations,
            @DefaultValue("0") long backlogLimit,
            @DefaultValue("warn") BacklogLimit.Action backlogAction) {}

    /**
     * The tables.
     *
     * @param schema           Schema of the tables. Empty: the connection's own.
     * @param tablePrefix      What the names of the tables begin with.
     * @param migrate          Whether tables are created and upgraded at the start.
     * @param statementTimeout After which the database ends a statement of a relay. Less than the lease.
     * @param retention        How long deliveries are kept in the history. 0: not at all.
     * @param compressAbove    Larger payloads are stored deflated. 0: never.
     * @param decidedRetention How long discarded and resolved dead letters stay visible.
     * @param maxReplays       How often a dead letter may be tried again before it has to be corrected or discarded.
     * @param poolSize         Connections of a pool of Waybill's own, made like that of the application, so that neither starves the other; on PostgreSQL two more for signals. 0: the application's pool.
     */
    public record Store(
            @DefaultValue("") String schema,
            @DefaultValue("waybill_") String tablePrefix,
            @DefaultValue("true") boolean migrate,
            @DefaultValue("5s") Duration statementTimeout,
            @DefaultValue("24h") Duration retention,
            @DefaultValue("0B") DataSize compressAbove,
            @DefaultValue("7d") Duration decidedRetention,
            @DefaultValue("3") int maxReplays,
            @DefaultValue("3") int poolSize) {}

    /**
     * The relays.
     *
     * @param enabled         Whether this application delivers. If false, another process has to.
     * @param lease           How long a shard stays with a relay that is gone: the time to recover from a crash.
     * @param pollInterval    The longest time between two looks into the store without a signal.
     * @param maxBatchSize    Entries that one fetch or one settle handles.
     * @param window          Entries that a relay has in hand at a time.
     * @param windowSize      Bytes of payloads that a relay has in hand at a time.
     * @param deliveryTimeout After this a delivery without a result has failed.
     * @param settleDelay     How long outcomes may wait for others while more are on their way, to be written together.
     * @param probeFirst      First wait between two probes of a destination that is down.
     * @param probeLongest    Longest wait between two probes of a destination that is down.
     * @param rescanInterval  How often a shard is read again from its beginning, as a safety net.
     * @param shutdownTimeout How long the end of the application waits for what is on its way.
     * @param signals         Whether commits are told to relays in other processes, and theirs listened to, where the database can (PostgreSQL).
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10s") Duration lease,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("1000") int maxBatchSize,
            @DefaultValue("4096") int window,
            @DefaultValue("16MB") DataSize windowSize,
            @DefaultValue("30s") Duration deliveryTimeout,
            @DefaultValue("5ms") Duration settleDelay,
            @DefaultValue("500ms") Duration probeFirst,
            @DefaultValue("4s") Duration probeLongest,
            @DefaultValue("5m") Duration rescanInterval,
            @DefaultValue("30s") Duration shutdownTimeout,
            @DefaultValue("true") boolean signals) {}

    /**
     * How failed deliveries are tried again, for destinations that say nothing else.
     *
     * @param maxAttempts Tries in all; after the last one the event is a dead letter.
     * @param firstWait   Upper bound of the first wait; it doubles with each failure.
     * @param longestWait Upper bound of every wait.
     */
    public record Retry(
            @DefaultValue("10") int maxAttempts,
            @DefaultValue("1s") Duration firstWait,
            @DefaultValue("5m") Duration longestWait) {}

    /**
     * One destination.
     *
     * @param transport    What carries its events: in-process, kafka, or the name of a Transport bean. Empty: waybill.outbox.transport.
     * @param topic        Its Kafka topic. Empty: the destination's own name.
     * @param key          What order is kept for, as a SpEL expression on the published value, where the value's class says nothing.
     * @param headers      Headers of all of its events that do not have them.
     * @param deadLetters  What a dead letter means for later events of its key.
     * @param maxAttempts  Tries in all. Without it: waybill.retry.
     * @param firstWait    Upper bound of the first wait. Without it: waybill.retry.
     * @param longestWait  Upper bound of every wait. Without it: waybill.retry.
     * @param maxPerSecond Most deliveries in a second, of all relays together. 0: no limit.
     * @param priority     Destinations with more go first when not everything can.
     * @param paused       Whether nothing is delivered for now.
     */
    public record Destination(
            @DefaultValue("") String transport,
            @DefaultValue("") String topic,
            @DefaultValue("") String key,
            @DefaultValue Map<String, String> headers,
            @DefaultValue("park") DeadLetterPolicy deadLetters,
            @Nullable Integer maxAttempts,
            @Nullable Duration firstWait,
            @Nullable Duration longestWait,
            @DefaultValue("0") int maxPerSecond,
            @DefaultValue("0") int priority,
            @DefaultValue("false") boolean paused) {}

    /**
     * The inbox that all consumers of the application share.
     *
     * @param enabled       Whether methods with EventHandler are looked for.
     * @param tablePrefix   What the names of its tables begin with.
     * @param retention     How long an event is remembered after it took effect. Longer than redelivery-age.
     * @param redeliveryAge How long after its first delivery an event may come again.
     * @param lease         How long a leased handler may take until another one takes over.
     * @param threads       How many handlers run at a time within the process. With virtual threads as well.
     * @param maxAttempts   Tries of a handler in all; after the last one the event is a dead letter of the consumer.
     * @param firstWait     Upper bound of the first wait between two tries; it doubles with each failure.
     * @param longestWait   Upper bound of every wait between two tries.
     */
    public record Inbox(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("waybill_inbox_") String tablePrefix,
            @DefaultValue("8d") Duration retention,
            @DefaultValue("7d") Duration redeliveryAge,
            @DefaultValue("30s") Duration lease,
            @DefaultValue("8") int threads,
            @DefaultValue("3") int maxAttempts,
            @DefaultValue("500ms") Duration firstWait,
            @DefaultValue("5m") Duration longestWait) {}

    /**
     * One consumer.
     *
     * @param enabled      Whether it runs in this process.
     * @param topics       Kafka topics that it reads, in place of those of its handlers' destinations.
     * @param groupId      Its Kafka group. Empty: the consumer's name.
     * @param threads      How many events of Kafka it handles at a time.
     * @param maxInFlight  How many records of Kafka it holds at a time.
     * @param maxAttempts  Tries of a handler in all. Without it: waybill.inbox.
     * @param firstWait    Upper bound of the first wait between two tries. Without it: waybill.inbox.
     * @param longestWait  Upper bound of every wait between two tries. Without it: waybill.inbox.
     * @param unknownTypes What happens to an event of its Kafka topics that it has no handler for.
     */
    public record Consumer(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Set<String> topics,
            @DefaultValue("") String groupId,
            @DefaultValue("8") int threads,
            @DefaultValue("1000") int maxInFlight,
            @Nullable Integer maxAttempts,
            @Nullable Duration firstWait,
            @Nullable Duration longestWait,
            @DefaultValue("dead-letter") UnknownTypes unknownTypes) {}

    /**
     * Kafka, where waybill-transport-kafka is on the class path.
     *
     * @param bootstrapServers   Brokers. Empty: spring.kafka.bootstrap-servers; without both, there is no Kafka.
     * @param source             The CloudEvents source of all records. Empty: made of spring.application.name.
     * @param partitions         Partitions of topics that are missing. 0: they are not created, their events wait.
     * @param replicationFactor  Replicas of topics that are created.
     * @param deliveryTimeout    After which a record that is not acknowledged has failed. Less than half of waybill.relay.delivery-timeout.
     * @param exactlyOnce        Whether consumers that read what is committed get every event once, where brokers and permissions allow it.
     * @param outbox             Name of the outbox: the same in all instances, unlike that of every other outbox of the brokers. Empty: spring.application.name; without both, events are delivered at least once.
     * @param producerProperties Further properties of Kafka's producer, for instance security.
     * @param consumerProperties Further properties of Kafka's consumers.
     */
    public record Kafka(
            @DefaultValue("") String bootstrapServers,
            @DefaultValue("") String source,
            @DefaultValue("0") int partitions,
            @DefaultValue("1") int replicationFactor,
            @DefaultValue("10s") Duration deliveryTimeout,
            @DefaultValue("true") boolean exactlyOnce,
            @DefaultValue("") String outbox,
            @DefaultValue Map<String, String> producerProperties,
            @DefaultValue Map<String, String> consumerProperties) {}

    /**
     * Circuit breakers and retries by name, for handlers and for the application's own calls.
     *
     * @param enabled   Whether there are any. If false, operations are called and nothing else happens.
     * @param breaker   The defaults of all breakers.
     * @param retry     The defaults of all retries.
     * @param instances What is different for some names; a consumer's name is that of its breaker.
     */
    public record Resilience(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Breaker breaker,
            @DefaultValue ResilienceRetry retry,
            @DefaultValue Map<String, Instance> instances) {}

    /** What is different for one name. */
    public record Instance(
            @DefaultValue Breaker breaker, @DefaultValue ResilienceRetry retry) {}

    /**
     * One circuit breaker.
     *
     * @param failureRateThreshold Percentage of failures that opens it.
     * @param openTime             How long it stays open.
     * @param windowType           Whether the window counts calls or seconds.
     * @param windowSize           Calls or seconds that are looked at.
     * @param minimumCalls         Fewer calls than these never open it.
     * @param halfOpenCalls        Calls that are let through to see whether it works again.
     * @param countNonRetryable    Whether business errors, which are not tried again, count as failures.
     */
    public record Breaker(
            @Nullable Double failureRateThreshold,
            @Nullable Duration openTime,
            @Nullable WindowType windowType,
            @Nullable Integer windowSize,
            @Nullable Integer minimumCalls,
            @Nullable Integer halfOpenCalls,
            @Nullable Boolean countNonRetryable) {}

    /**
     * The retries of one operation of the application; handlers have those of waybill.inbox.
     *
     * @param maxAttempts Tries in all.
     * @param firstWait   The first wait.
     * @param multiplier  By which each wait grows.
     * @param jitter      Which part of a wait is left to chance, from 0 to 1.
     * @param longestWait The longest wait.
     */
    public record ResilienceRetry(
            @Nullable Integer maxAttempts,
            @Nullable Duration firstWait,
            @Nullable Double multiplier,
            @Nullable Double jitter,
            @Nullable Duration longestWait) {}

    /**
     * When the health of the application suffers.
     *
     * @param enabled     Whether there is a health indicator.
     * @param oldestAge   The oldest pending event may be so old. 0: any age.
     * @param deadLetters So many dead letters may wait for a decision. Negative: any number.
     */
    public record Health(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("5m") Duration oldestAge,
            @DefaultValue("-1") long deadLetters) {}

    /**
     * The actuator endpoint.
     *
     * @param writable Whether dead letters can be decided and destinations paused through it.
     */
    public record Endpoint(@DefaultValue("false") boolean writable) {}

    /**
     * Meters.
     *
     * @param enabled Whether anything is counted.
     */
    public record Metrics(@DefaultValue("true") boolean enabled) {}

    /**
     * Traces.
     *
     * @param enabled Whether events carry the context of their traces, and spans are made.
     */
    public record Tracing(@DefaultValue("true") boolean enabled) {}
}
