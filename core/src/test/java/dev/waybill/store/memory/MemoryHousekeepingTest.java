package dev.waybill.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.audit.Signature;
import dev.waybill.event.Event;
import dev.waybill.replay.ReplayFilter;
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

/** What takes days or has to be exact, and so can be tested only by a clock that moves as it is told. */
class MemoryHousekeepingTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final OrderKey KEY = new OrderKey("orders", "o-1");
    private static final UUID RELAY = new UUID(0, 1);
    private static final Signature TESTER = Signature.of("tester", "");

    private Instant now = START;
    private final MemoryOutboxStore store = new MemoryOutboxStore(() -> now);

    @Test
    void aDiscardedDeadLetterIsRemovedAfterAWeek() {
        long kept = kill(event());
        long discarded = kill(event());
        store.deadLetters().discard(discarded, TESTER);

        now = START.plus(Duration.ofDays(7));
        assertThat(store.clean()).isZero();
        now = START.plus(Duration.ofDays(7)).plusNanos(1);
        assertThat(store.clean()).isEqualTo(1);

        assertThat(store.deadLetters().find(discarded)).isEmpty();
        assertThat(store.deadLetters().find(kept)).isPresent();
        assertThat(store.operations().statistics().dead()).isEqualTo(1);
    }

    @Test
    void aReplayOfThreeASecondIsExactToTheNanosecond() {
        for (int i = 0; i < 10; i++) {
            deliver(event());
        }
        now = START.plusSeconds(1);
        store.replays().start(UUID.randomUUID(), ReplayFilter.between(START, now), 3, TESTER);
        Instant started = now;

        now = started.plusNanos(333_333_333);
        assertThat(store.advanceReplays()).isZero();
        now = started.plusNanos(333_333_334);
        assertThat(store.advanceReplays()).isEqualTo(1);
        now = started.plusNanos(999_999_999);
        assertThat(store.advanceReplays()).isEqualTo(1);
        now = started.plusSeconds(1);
        assertThat(store.advanceReplays()).isEqualTo(1);
        assertThat(store.advanceReplays()).isZero();
    }

    @Test
    void aReplayTakesAtMostABatchAtOnceAndTheRestOfTheSecondWithTheNextStep() {
        for (int i = 0; i < 6_000; i++) {
            deliver(event());
        }
        now = START.plusSeconds(1);
        store.replays().start(UUID.randomUUID(), ReplayFilter.between(START, now), Integer.MAX_VALUE, TESTER);
        now = START.plusSeconds(2);

        assertThat(store.advanceReplays()).isEqualTo(5_000);
        assertThat(store.advanceReplays()).isEqualTo(1_000);
        assertThat(store.hasRunningReplays()).isFalse();
    }

    @Test
    void aDryRunCountsWhatAReplayThatStartsNowWouldSend() {
        ReplayFilter open = ReplayFilter.between(START.minusSeconds(1), START.plusSeconds(60));
        deliver(event());
        assertThat(store.replays().count(open))
                .as("the end is now, and excluded")
                .isZero();

        now = START.plusNanos(1_000);

        assertThat(store.replays().count(open)).isEqualTo(1);
    }

    private long kill(Event event) {
        Entry entry = append(event);
        store.settle(
                RELAY,
                leases(),
                List.of(new Outcome.Died(entry.shard(), entry.sequence(), "dead", DeadLetterPolicy.SKIP)));
        return entry.sequence();
    }

    private void deliver(Event event) {
        Entry entry = append(event);
        store.settle(RELAY, leases(), List.of(new Outcome.Delivered(entry.shard(), entry.sequence())));
    }

    private Entry append(Event event) {
        try (MemoryTransaction transaction = store.begin()) {
            store.append(transaction, List.of(event), Set.of());
            transaction.commit();
        }
        return store.readKeys(List.of(KeyCursor.all(KEY)), 1).get(0);
    }

    private List<Lease> leases() {
        store.take(RELAY, 64, Duration.ofDays(30));
        return store.renew(RELAY, Duration.ofDays(30)).leases();
    }

    private static Event event() {
        return Event.to("orders").key("o-1").type("t").build();
    }
}
