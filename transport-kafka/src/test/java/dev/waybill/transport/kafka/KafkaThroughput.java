package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much goes through a transport that is used as a relay uses it: one unanswered delivery of a key at a time. A
 * measurement, not part of the build; run it with {@code -Dtest=KafkaThroughput}.
 */
class KafkaThroughput {
    private static final Logger log = LoggerFactory.getLogger(KafkaThroughput.class);
    private static final int KEYS = 1_000;
    private static final int BATCH = 1_000;
    private static final int ROUNDS = 6;
    private static final int RECORDS = 200_000;

    @TempDir
    Path folder;

    @Test
    void recordsOf200Bytes() throws InterruptedException {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic("load", 4);
            try (KafkaTransport transport = KafkaTransport.create(KafkaTransportConfig.of(broker.bootstrapServers()))) {
                for (int round = 1; round <= ROUNDS; round++) {
                    long start = System.nanoTime();
                    run(transport);
                    double seconds = (System.nanoTime() - start) / 1e9;
                    log.warn("Round {}: {} records/s", round, Math.round(RECORDS / seconds));
                }
            }
        }
    }

    private static void run(KafkaTransport transport) throws InterruptedException {
        BlockingQueue<String> free = new LinkedBlockingQueue<>();
        for (int i = 0; i < KEYS; i++) {
            free.add("key-" + i);
        }
        AtomicInteger failures = new AtomicInteger();
        int sent = 0;
        while (sent < RECORDS) {
            List<String> keys = new ArrayList<>();
            keys.add(free.take());
            free.drainTo(keys, Math.min(BATCH, RECORDS - sent) - 1);
            List<Delivery> batch = new ArrayList<>();
            for (String key : keys) {
                Event event = Event.to("load")
                        .key(key)
                        .type("OrderPlaced")
                        .payload(new byte[200])
                        .build();
                batch.add(new Delivery(event, ++sent, 1, 0, sent));
            }
            transport.send(batch, (delivery, result) -> {
                if (!result.equals(DeliveryResult.delivered())) {
                    failures.incrementAndGet();
                }
                free.add(String.valueOf(delivery.event().key()));
            });
        }
        for (int i = 0; i < KEYS; i++) {
            assertThat(free.poll(30, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(failures).hasValue(0);
    }
}
