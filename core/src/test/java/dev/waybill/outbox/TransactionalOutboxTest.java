package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.event.Payload;
import dev.waybill.store.Entry;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OrderKey;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import dev.waybill.store.Shards;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TransactionalOutboxTest {
    private final MemoryOutboxStore store = new MemoryOutboxStore(InstantSource.system());

    @Test
    void publishedEventsAreStoredWithTheCommitInTheirOrder() {
        Event first = event("orders").build();
        Event second = event("orders").build();
        Event third = event("mails").build();
        MemoryTransaction transaction = store.begin();
        Outbox outbox = outbox(OutboxConfig.defaults()).on(transaction);

        assertThat(outbox.publish(first)).isEqualTo(first.id());
        assertThat(outbox.publishAll(List.of(second, third))).containsExactly(second.id(), third.id());
        assertThat(stored()).isEmpty();
        transaction.commit();

        assertThat(stored()).containsExactly(first.id(), second.id(), third.id());
    }

    @Test
    void publishingNothingIsNothing() {
        MemoryTransaction transaction = store.begin();

        assertThat(outbox(OutboxConfig.defaults()).on(transaction).publishAll(List.of()))
                .isEmpty();
        transaction.commit();

        assertThat(stored()).isEmpty();
    }

    @Test
    void publishingOutsideATransactionIsRefused() {
        MemoryTransaction transaction = store.begin();
        Outbox outbox = outbox(OutboxConfig.defaults()).on(transaction);
        transaction.commit();

        assertThatThrownBy(() -> outbox.publish(event("orders").build())).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> outbox.cancel(UUID.randomUUID())).isInstanceOf(NoTransactionException.class);
    }

    @Test
    void aPayloadAboveTheLimitIsRefusedWithTheNameOfTheLimit() {
        OutboxConfig config = OutboxConfig.defaults().withMaxPayloadBytes(10);
        Event large = event("orders").payload(new byte[11]).build();

        assertLimit(config, large, "maxPayloadBytes", "11", "10");
        assertAccepted(config, event("orders").payload(new byte[10]).build());
    }

    @Test
    void tooManyHeadersAreRefusedWithTheNameOfTheLimit() {
        OutboxConfig config = OutboxConfig.defaults().withMaxHeaders(2);
        Event.Builder event = event("orders").header("a", "1").header("b", "2");

        assertAccepted(config, event.build());
        assertLimit(config, event.header("c", "3").build(), "maxHeaders", "3", "2");
    }

    @Test
    void headersThatAreTooLargeAreRefusedByTheirBytes() {
        OutboxConfig config = OutboxConfig.defaults().withMaxHeaderBytes(11);

        assertAccepted(config, event("orders").header("a", "ü".repeat(5)).build());
        assertLimit(config, event("orders").header("ab", "ü".repeat(5)).build(), "maxHeaderBytes", "12", "11");
    }

    @Test
    void theDefaultLimitIsAMegabyteOfPayload() {
        Event large = event("orders").payload(new byte[1024 * 1024 + 1]).build();

        assertLimit(OutboxConfig.defaults(), large, "maxPayloadBytes", "1048577", "1048576");
        assertAccepted(
                OutboxConfig.defaults(),
                event("orders").payload(new byte[1024 * 1024]).build());
    }

    @Test
    void anUnknownDestinationIsRefusedWithTheKnownOnes() {
        OutboxConfig config = OutboxConfig.defaults().withDestinations(Set.of("orders", "mails"));

        assertThatThrownBy(() -> publish(config, event("oders").build()))
                .isInstanceOf(UnknownDestinationException.class)
                .hasMessageContaining("\"oders\"")
                .hasMessageContaining("[mails, orders]");
        assertAccepted(config, event("mails").build());
    }

    @Test
    void ifOneEventIsRefusedNoneIsPublished() {
        OutboxConfig config = OutboxConfig.defaults().withMaxPayloadBytes(3);
        MemoryTransaction transaction = store.begin();
        Outbox outbox = outbox(config).on(transaction);

        assertThatThrownBy(() -> outbox.publishAll(List.of(
                        event("orders").build(),
                        event("orders").payload(Payload.utf8("large")).build())))
                .isInstanceOf(OutboxLimitException.class);
        transaction.commit();

        assertThat(stored()).isEmpty();
    }

    @Test
    void keysOfStrictDestinationsAreLockedAndNoOthers() {
        OutboxConfig config = OutboxConfig.defaults().withStrictDestinations(Set.of("orders"));
        try (MemoryTransaction transaction = store.begin()) {
            outbox(config)
                    .on(transaction)
                    .publishAll(List.of(
                            event("orders").key("o-1").build(),
                            event("orders").build(),
                            event("mails").key("m-1").build()));

            assertThat(store.isLocked(new OrderKey("orders", "o-1"))).isTrue();
            assertThat(store.isLocked(new OrderKey("mails", "m-1"))).isFalse();
        }
        assertThat(store.isLocked(new OrderKey("orders", "o-1"))).isFalse();
    }

    @Test
    void aDelayedEventIsCancelledThroughTheOutbox() {
        Event event = event("orders").availableIn(Duration.ofHours(1)).build();
        publish(OutboxConfig.defaults(), event);
        MemoryTransaction transaction = store.begin();
        Outbox outbox = outbox(OutboxConfig.defaults()).on(transaction);

        assertThat(outbox.cancel(event.id())).isTrue();
        assertThat(outbox.cancel(event.id())).isFalse();
        transaction.commit();

        assertThat(stored()).isEmpty();
    }

    private void assertLimit(OutboxConfig config, Event event, String limit, String found, String allowed) {
        assertThatThrownBy(() -> publish(config, event))
                .isInstanceOfSatisfying(
                        OutboxLimitException.class, e -> assertThat(e.limit()).isEqualTo(limit))
                .hasMessageContaining("OutboxConfig." + limit)
                .hasMessageContaining(event.id().toString())
                .hasMessageContaining("is " + found + ", at most " + allowed);
        assertThat(stored()).doesNotContain(event.id());
    }

    @Test
    void aPayloadThatItsTransportCouldNotDeliverIsRefused() {
        OutboxConfig config = OutboxConfig.defaults().withLimitOf("small", () -> 10);
        Event fits = event("small").payload(Payload.of(new byte[10])).build();
        Event tooLarge = event("small").payload(Payload.of(new byte[11])).build();
        assertAccepted(config, fits);
        assertLimit(config, tooLarge, "payloadLimits", "11", "10");
        assertAccepted(config, event("other").payload(Payload.of(new byte[11])).build());
    }

    @Test
    void aFullBacklogRefusesAndChangesNothing() {
        OutboxConfig config = OutboxConfig.defaults().withBacklog(BacklogLimit.reject(1));
        publish(OutboxConfig.defaults(), event("orders").build());
        publish(OutboxConfig.defaults(), event("orders").build());
        assertThatThrownBy(() -> publish(config, event("orders").build())).isInstanceOf(OutboxLimitException.class);
        assertThat(stored()).hasSize(2);
    }

    private void assertAccepted(OutboxConfig config, Event event) {
        publish(config, event);
        assertThat(stored()).contains(event.id());
    }

    private void publish(OutboxConfig config, Event event) {
        try (MemoryTransaction transaction = store.begin()) {
            outbox(config).on(transaction).publish(event);
            transaction.commit();
        }
    }

    private TransactionalOutbox<MemoryTransaction> outbox(OutboxConfig config) {
        return new TransactionalOutbox<>(store, config);
    }

    private static Event.Builder event(String destination) {
        return Event.to(destination).type("tested");
    }

    private List<UUID> stored() {
        List<ScanCursor> cursors = new ArrayList<>();
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            cursors.add(new ScanCursor(shard, 0, 0, 1000, Long.MAX_VALUE, Set.of()));
        }
        List<Entry> entries = new ArrayList<>();
        for (ShardPage page : store.scan(UUID.randomUUID(), cursors).pages()) {
            entries.addAll(page.entries());
        }
        entries.sort(Comparator.comparingLong(Entry::sequence));
        return entries.stream().map(entry -> entry.event().id()).toList();
    }
}
