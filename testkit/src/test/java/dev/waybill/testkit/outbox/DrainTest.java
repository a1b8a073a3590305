package dev.waybill.testkit.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.audit.Signature;
import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.TransactionalOutbox;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.transport.Fault;
import dev.waybill.testkit.transport.FaultyTransport;
import dev.waybill.testkit.transport.RecordingTransport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DrainTest {
    private final MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());
    private final RecordingTransport arrivals = new RecordingTransport();
    private final FaultyTransport transport = new FaultyTransport(
            arrivals, delivery -> delivery.event().type().equals("Bad") ? Fault.rejected("bad") : Fault.none());
    // No poll comes in time: what arrives was woken up.
    private final Relay relay = Relay.builder(store)
            .route("mail", transport)
            .route("stock", transport)
            .config(RelayConfig.defaults().withPollInterval(Duration.ofMinutes(1)))
            .build()
            .start();
    private final Drain drain = new Drain(() -> Map.of("outbox", store), relay::wakeUp, destination -> false);

    @AfterEach
    void stop() {
        relay.close();
        transport.close();
    }

    @Test
    void everythingIsDeliveredWhenItReturns() {
        for (int i = 0; i < 100; i++) {
            publish(Event.to("mail").key("k" + i % 7).type("Good").build());
        }
        drain.deliverEverything();
        assertThat(arrivals.arrived()).hasSize(100);
    }

    @Test
    void deadDelayedAndPausedEventsStay() {
        publish(Event.to("mail").key("a").type("Bad").build());
        publish(Event.to("mail").key("a").type("Good").build());
        publish(Event.to("mail").type("Good").availableIn(Duration.ofHours(1)).build());
        store.operations().pauseDestination("stock", Signature.of("ada", "stocktaking"));
        publish(Event.to("stock").key("b").type("Good").build());
        publish(Event.to("mail").key("c").type("Good").build());
        drain.deliverEverything();
        assertThat(arrivals.arrived())
                .extracting(delivery -> delivery.event().key())
                .containsExactly("c");
    }

    @Test
    void whatIsLeftAfterAllPatienceIsNamed() {
        transport.takeDown("mail");
        publish(Event.to("mail").key("a").type("Good").build());
        assertThatThrownBy(() -> drain.deliverEverything(Duration.ofMillis(300)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("within PT0.3S")
                .hasMessageContaining("outbox: 1 for mail")
                .hasMessageContaining("relays 1");
    }

    private void publish(Event event) {
        MemoryTransaction transaction = store.begin();
        new TransactionalOutbox<>(store, OutboxConfig.defaults())
                .on(transaction)
                .publish(event);
        transaction.commit();
    }
}
