package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.audit.Signature;
import dev.waybill.event.Event;
import dev.waybill.operations.Located;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LiveOperationsTest {
    private final MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());

    @Test
    void whatARelayOfThisProcessHasSentIsInFlightUntilItIsAnswered() throws Exception {
        BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();
        Event event = Event.to("orders").key("k").type("tested").build();
        Event behind = Event.to("orders").key("k").type("tested").build();
        try (Relay relay = relay(answers)) {
            LiveOperations operations = new LiveOperations(store.operations(), List.of(relay));
            publish(event, behind);
            relay.wakeUp();
            Runnable answer = answers.poll(10, TimeUnit.SECONDS);
            assertThat(operations.find(event.id())).extracting(Located::place).containsExactly(Located.Place.IN_FLIGHT);
            assertThat(operations.find(behind.id())).extracting(Located::place).containsExactly(Located.Place.PENDING);
            assertThat(answer).isNotNull();
            if (answer != null) {
                answer.run();
            }
            Awaitility.await()
                    .untilAsserted(() -> assertThat(operations.find(event.id()))
                            .extracting(Located::place)
                            .containsExactly(Located.Place.DELIVERED));
            answers.take().run();
        }
    }

    @Test
    void aResumedDestinationNeedNotWaitForAPoll() throws Exception {
        BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();
        store.operations().pauseDestination("orders", Signature.of("tester", ""));
        publish(Event.to("orders").type("tested").build());
        try (Relay relay = relay(answers)) {
            LiveOperations operations = new LiveOperations(store.operations(), List.of(relay));
            Awaitility.await().until(() -> relay.status().pausedDestinations().containsKey("orders"));
            assertThat(operations.resumeDestination("orders", Signature.of("tester", "")))
                    .isTrue();
            Runnable answer = answers.poll(10, TimeUnit.SECONDS);
            assertThat(answer).as("long before the next poll").isNotNull();
            if (answer != null) {
                answer.run();
            }
        }
    }

    private Relay relay(BlockingQueue<Runnable> answers) {
        Transport transport = new Transport() {
            @Override
            public void send(List<dev.waybill.transport.Delivery> batch, DeliveryListener listener) {
                batch.forEach(delivery -> answers.add(() -> listener.onResult(delivery, DeliveryResult.delivered())));
            }

            @Override
            public void close() {}
        };
        return Relay.builder(store)
                .route("orders", transport)
                .config(RelayConfig.defaults().withPollInterval(java.time.Duration.ofMinutes(1)))
                .build()
                .start();
    }

    private void publish(Event... events) {
        try (MemoryTransaction transaction = store.begin()) {
            store.append(transaction, List.of(events), Set.of());
            transaction.commit();
        }
    }
}
