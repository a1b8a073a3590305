package dev.waybill.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OrderKey;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the reference store offers beyond the contract of all stores, which the test kit checks. */
class MemoryOutboxStoreTest {
    private static final OrderKey KEY = new OrderKey("orders", "o-1");
    private static final UUID RELAY = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final MemoryOutboxStore store =
            new MemoryOutboxStore(InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")));

    @Test
    void aStrictKeyIsSeenAsLockedUntilItsTransactionEnds() {
        MemoryTransaction first = store.begin();
        MemoryTransaction second = store.begin();
        assertThat(store.isLocked(KEY)).isFalse();

        store.append(first, List.of(event()), Set.of(KEY));
        assertThat(store.isLocked(KEY)).isTrue();
        first.commit();
        assertThat(store.isLocked(KEY)).isFalse();

        store.append(second, List.of(event()), Set.of(KEY));
        assertThat(store.isLocked(KEY)).isTrue();
        second.close();
        assertThat(store.isLocked(KEY)).isFalse();
    }

    @Test
    void anEventThatIsBeingCancelledIsSeenAsLocked() {
        Event event = Event.to("orders")
                .type("t")
                .availableAt(Instant.parse("2026-01-01T01:00:00Z"))
                .build();
        try (MemoryTransaction writer = store.begin()) {
            store.append(writer, List.of(event), Set.of());
            writer.commit();
        }
        MemoryTransaction transaction = store.begin();

        assertThat(store.cancel(transaction, event.id())).isTrue();

        assertThat(store.isLocked(event.id())).isTrue();
        transaction.rollback();
        assertThat(store.isLocked(event.id())).isFalse();
    }

    @Test
    void whoWaitsForALockCanBeInterrupted() {
        try (MemoryTransaction holder = store.begin();
                MemoryTransaction waiting = store.begin()) {
            store.append(holder, List.of(event()), Set.of(KEY));
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> store.append(waiting, List.of(event()), Set.of(KEY)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("orders/o-1");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void anEndedTransactionTakesNothingMore() {
        MemoryTransaction transaction = store.begin();
        transaction.commit();

        assertThatThrownBy(transaction::commit).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(transaction::rollback).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(transaction::savepoint).isInstanceOf(NoTransactionException.class);
        transaction.close();
    }

    @Test
    void aSavepointOfAnotherTransactionOrAnEarlierTimeIsRefused() {
        try (MemoryTransaction transaction = store.begin();
                MemoryTransaction other = store.begin()) {
            MemoryTransaction.Savepoint start = transaction.savepoint();
            store.append(transaction, List.of(event()), Set.of());
            MemoryTransaction.Savepoint later = transaction.savepoint();
            transaction.rollbackTo(start);

            assertThatThrownBy(() -> transaction.rollbackTo(later)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> other.rollbackTo(start)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aLeaseOfNoLengthHasExpired() {
        store.take(RELAY, 64, Duration.ZERO);

        assertThat(store.take(OTHER, 64, Duration.ofSeconds(1))).hasSize(64);
    }

    @Test
    void aNegativeRetentionIsRefused() {
        assertThatThrownBy(() -> new MemoryOutboxStore(InstantSource.system(), Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Event event() {
        return Event.to("orders").key("o-1").type("t").build();
    }
}
