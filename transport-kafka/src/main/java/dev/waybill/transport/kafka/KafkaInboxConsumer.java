package dev.waybill.transport.kafka;

import dev.waybill.inbox.InboxConsumer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the events of Kafka topics to a consumer with an inbox: each takes effect once, those of a key in order; see
 * docs/kafka.md. Thread-safe.
 *
 * <p>One <em>poll thread</em> owns Kafka's consumer ({@link PollLoop}), and a number of workers handle events
 * ({@link Crew}); what lies between reading and committing belongs to the {@link Dispatch}, under the crew's lock. An offset is
 * committed when the inbox has taken its event and all before it.
 */
public final class KafkaInboxConsumer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KafkaInboxConsumer.class);
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final String name;
    private final KafkaConsumerConfig config;
    private final Crew crew;
    private final PollLoop loop;
    private final ConsumerMeters meters;
    private final Thread thread;

    private KafkaInboxConsumer(KafkaConsumerConfig config, InboxConsumer<?> consumer, MeterRegistry registry) {
        this.name = consumer.name();
        this.config = config;
        String ownGroup = config.groupId();
        Dispatch dispatch = new Dispatch(
                new Brake(name, config.threads()), config.maxInFlight(), ConsumerSettings.pollSize(config));
        crew = new Crew(consumer, dispatch, config.threads());
        loop = new PollLoop(config, ownGroup == null ? name : ownGroup, name, crew);
        meters = new ConsumerMeters(registry, name, crew, loop);
        thread = new Thread(loop, "waybill-kafka-" + name);
        thread.setDaemon(true);
    }

    /** Starts without metrics: see {@link #start(KafkaConsumerConfig, InboxConsumer, MeterRegistry)}. */
    public static KafkaInboxConsumer start(KafkaConsumerConfig config, InboxConsumer<?> consumer) {
        return start(config, consumer, new CompositeMeterRegistry());
    }

    /**
     * Starts to read. Brokers and topics may be missing at this time. What the consumer puts aside is tried again by a
     * relay with the route {@link InboxConsumer#siding}.
     *
     * @throws dev.waybill.inbox.InboxCheckException if the consumer's {@linkplain InboxConsumer#check check} fails
     * @throws dev.waybill.store.StoreException if the consumer's store cannot be read
     */
    public static KafkaInboxConsumer start(
            KafkaConsumerConfig config, InboxConsumer<?> consumer, MeterRegistry registry) {
        consumer.check();
        KafkaInboxConsumer started = new KafkaInboxConsumer(config, consumer, registry);
        log.info("Consumer {} starts: {}", consumer.name(), config);
        started.crew.start();
        started.thread.start();
        return started;
    }

    /** Whether it takes nothing or little at the moment, because its handlers or its store are out of order. */
    public boolean isHeldBack() {
        return crew.ask(Dispatch::isHeldBack);
    }

    /**
     * Ends: handles nothing more, waits for what is under way as long as the patience lasts, commits, and leaves the group.
     * What takes longer goes on by itself, and its event comes again at the next start. Not to be called by a handler:
     * it would wait for itself. Idempotent.
     */
    @Override
    public void close() {
        loop.close();
        crew.stop();
        try {
            thread.join(config.patience()
                    .plus(PollLoop.LONGEST_COMMIT.multipliedBy(2))
                    .plus(MARGIN)
                    .toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        meters.close();
    }

    @Override
    public String toString() {
        return "KafkaInboxConsumer[" + name + " of " + config + "]";
    }
}
