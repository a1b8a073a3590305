package dev.waybill.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What goes after some days, and what never does: databases are tested for it in their own module. */
class MemoryRedrivenTest {
    private static final UUID RELAY = UUID.randomUUID();
    private static final Signature TESTER = Signature.of("tester", "");
    private static final OrderKey KEY = new OrderKey("orders", "42");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final MemoryOutboxStore store = new MemoryOutboxStore(() -> now);

    @Test
    void aDiscardedOneThatWasReplayedBeforeGoesAsAWhole() {
        Entry dead = kill();
        store.deadLetters().redrive(dead.sequence(), TESTER);
        settle(new Outcome.Died(dead.shard(), dead.sequence(), "again", DeadLetterPolicy.SKIP));
        store.deadLetters().discard(dead.sequence(), TESTER);

        passDays(8);

        assertThat(store.deadLetters().find(dead.sequence())).isEmpty();
    }

    @Test
    void aResolvedOneGoesAfterSevenDaysAndAPendingOneNever() {
        Entry resolved = kill();
        store.deadLetters().redrive(resolved.sequence(), TESTER);
        settle(new Outcome.Delivered(resolved.shard(), resolved.sequence()));
        Entry pending = kill();
        store.clean();

        passDays(6);
        assertThat(store.deadLetters().find(resolved.sequence()).map(DeadLetter::state))
                .hasValue(DeadLetter.State.RESOLVED);
        passDays(2);

        assertThat(store.deadLetters().find(resolved.sequence())).isEmpty();
        passDays(1_000);
        assertThat(store.deadLetters().find(pending.sequence()).map(DeadLetter::state))
                .hasValue(DeadLetter.State.PENDING);
    }

    private void passDays(int days) {
        now = now.plus(Duration.ofDays(days));
        int removed = store.clean();
        while (removed > 0) {
            removed = store.clean();
        }
    }

    private Entry kill() {
        try (MemoryTransaction transaction = store.begin()) {
            store.append(
                    transaction,
                    List.of(Event.to("orders").key("42").type("OrderPlaced").build()),
                    Set.of());
            transaction.commit();
        }
        Entry entry = store.readKeys(List.of(KeyCursor.all(KEY)), 1).get(0);
        settle(new Outcome.Died(entry.shard(), entry.sequence(), "no", DeadLetterPolicy.SKIP));
        return entry;
    }

    private void settle(Outcome outcome) {
        store.take(RELAY, 64, Duration.ofDays(10_000));
        List<Lease> leases = store.renew(RELAY, Duration.ofDays(10_000)).leases();
        assertThat(store.settle(RELAY, leases, List.of(outcome))).isEmpty();
    }
}
