package dev.waybill.spring.inbox;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.spring.Phases;
import dev.waybill.transport.kafka.KafkaConsumerConfig;
import dev.waybill.transport.kafka.KafkaInboxConsumer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/** What gives events of Kafka topics to the consumers of an application, while it runs. Thread-safe. */
public final class KafkaConsumers implements SmartLifecycle {
    private final Consumers consumers;
    private final Supplier<Map<String, KafkaConsumerConfig>> configs;
    private final MeterRegistry registry;
    private final List<KafkaInboxConsumer> reading = new ArrayList<>();
    private volatile boolean running;

    /**
     * Reads nothing yet.
     *
     * @param configs asked for at the start: how consumers read, by name; all others read nothing
     */
    public KafkaConsumers(
            Consumers consumers, Supplier<Map<String, KafkaConsumerConfig>> configs, MeterRegistry registry) {
        this.consumers = consumers;
        this.configs = configs;
        this.registry = registry;
    }

    /** Those that read. */
    public synchronized List<KafkaInboxConsumer> all() {
        return List.copyOf(reading);
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        Map<String, KafkaConsumerConfig> byName = configs.get();
        for (InboxConsumer<?> consumer : consumers.all()) {
            KafkaConsumerConfig config = byName.get(consumer.name());
            if (config != null) {
                reading.add(KafkaInboxConsumer.start(config, consumer, registry));
            }
        }
    }

    /** All at once: each waits for its handlers. */
    @Override
    public synchronized void stop() {
        running = false;
        List<Thread> ends = new ArrayList<>();
        for (KafkaInboxConsumer consumer : reading) {
            Thread end = new Thread(consumer::close, "waybill-kafka-stop");
            end.start();
            ends.add(end);
        }
        reading.clear();
        try {
            for (Thread end : ends) {
                end.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Phases.SOURCES;
    }
}
