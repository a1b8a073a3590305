package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.kafka.KafkaBroker;
import dev.waybill.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How fast a backlog drains in both modes, with many keys and with one. A measurement, not part of the build; run it with
 * {@code -Dtest=ExactlyOnceThroughput}.
 */
class ExactlyOnceThroughput {
    private static final Logger log = LoggerFactory.getLogger(ExactlyOnceThroughput.class);
    private static final int ROUNDS = 3;

    @TempDir
    Path folder;

    @Test
    void recordsOf200Bytes() {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic("load", 4);
            KafkaTransportConfig config = KafkaTransportConfig.of(broker.bootstrapServers());
            for (int round = 1; round <= ROUNDS; round++) {
                try (Transport idempotent = KafkaTransport.create(config)) {
                    measure("idempotent, 1,000 keys", idempotent, 1_000, 60_000);
                    measure("idempotent, one key", idempotent, 1, 1_500);
                }
                try (Transport exact = ExactlyOnceKafkaTransport.create(config, "load")) {
                    measure("exactly once, 1,000 keys", exact, 1_000, 60_000);
                    measure("exactly once, one key", exact, 1, 10_000);
                }
            }
        }
    }

    private static void measure(String what, Transport transport, int keys, int events) {
        MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
        List<Event> some = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            some.add(Event.to("load")
                    .key("key-" + i % keys)
                    .type("t")
                    .payload(new byte[200])
                    .build());
        }
        try (MemoryTransaction transaction = store.begin()) {
            store.append(transaction, some, Set.of());
            transaction.commit();
        }
        long start = System.nanoTime();
        try (Relay relay = Relay.builder(store).route("load", transport).build().start()) {
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> relay.status().delivered() == events);
            double seconds = (System.nanoTime() - start) / 1e9;
            log.warn("{}: {} events/s", what, Math.round(events / seconds));
            assertThat(relay.status().retried()).isZero();
        }
    }
}
