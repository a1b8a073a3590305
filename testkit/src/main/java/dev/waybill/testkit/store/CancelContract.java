package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.NoTransactionException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A delayed event can be taken back within a transaction. */
abstract class CancelContract extends StoreContract {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aCancelledEventIsGoneWithTheCommitAndNotBefore() {
        Event event = delayed(KEY, HOUR);
        publish(event);

        try (StoreFixture.Transaction transaction = fixture.begin()) {
            assertThat(transaction.cancel(event.id())).isTrue();
            assertThat(ids(outbox())).containsExactly(event.id());
            transaction.commit();
        }

        assertThat(outbox()).isEmpty();
    }

    @Test
    void aRollbackUndoesTheCancellation() {
        Event event = delayed(KEY, HOUR);
        publish(event);
        Entry before = entryOf(event);

        try (StoreFixture.Transaction transaction = fixture.begin()) {
            assertThat(transaction.cancel(event.id())).isTrue();
            transaction.rollback();
        }

        assertThat(entryOf(event).sequence()).isEqualTo(before.sequence());
        assertThat(cancelled(event.id())).isTrue();
    }

    @Test
    void rollingBackToASavepointUndoesTheCancellation() {
        Event event = delayed(KEY, HOUR);
        publish(event);

        try (StoreFixture.Transaction transaction = fixture.begin()) {
            Object savepoint = transaction.savepoint();
            assertThat(transaction.cancel(event.id())).isTrue();
            transaction.rollbackTo(savepoint);
            transaction.commit();
        }

        assertThat(ids(outbox())).containsExactly(event.id());
    }

    @Test
    void aTransactionCancelsWhatItPublishedItself() {
        Event event = delayed(KEY, HOUR);
        Event other = delayed(KEY, HOUR);
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            transaction.append(List.of(event, other), Set.of());
            assertThat(transaction.cancel(event.id())).isTrue();
            transaction.commit();
        }

        assertThat(ids(outbox())).containsExactly(other.id());
    }

    @Test
    void anEventIsCancelledOnlyOnce() {
        Event event = delayed(KEY, HOUR);
        publish(event);

        try (StoreFixture.Transaction transaction = fixture.begin()) {
            assertThat(transaction.cancel(event.id())).isTrue();
            assertThat(transaction.cancel(event.id())).isFalse();
            transaction.commit();
        }

        assertThat(cancelled(event.id())).isFalse();
    }

    @Test
    void anUnknownEventIsNotThere() {
        publish(delayed(KEY, HOUR));

        assertThat(cancelled(UUID.randomUUID())).isFalse();
        assertThat(outbox()).hasSize(1);
    }

    @Test
    void anEventThatIsDueIsNotCancelled() {
        Event immediate = event(KEY);
        Event due = delayed(KEY, SHORT);
        publish(immediate, due);
        outliveShort();

        assertThat(cancelled(immediate.id())).isFalse();
        assertThat(cancelled(due.id())).isFalse();
        assertThat(outbox()).hasSize(2);
    }

    @Test
    void anEventThatWasTriedIsNotCancelled() {
        Lease lease = takeFor(RELAY, KEY);
        Event event = event(KEY);
        settle(lease, retried(published(event), HOUR));

        assertThat(cancelled(event.id())).isFalse();
        assertThat(outbox()).hasSize(1);
    }

    @Test
    void anEventOfAnUncommittedTransactionIsNotThereForOthers() {
        Event event = delayed(KEY, HOUR);
        try (StoreFixture.Transaction writer = fixture.begin()) {
            writer.append(List.of(event), Set.of());

            assertThat(cancelled(event.id())).isFalse();

            writer.commit();
        }
        assertThat(ids(outbox())).containsExactly(event.id());
    }

    @Test
    void aDelayedEventThatWaitsBehindAParkedKeyCanBeCancelled() {
        Lease lease = takeFor(RELAY, KEY);
        settle(lease, died(published(event(KEY)), DeadLetterPolicy.PARK));
        Event waiting = delayed(KEY, HOUR);
        publish(waiting);
        assertThat(store.hold(RELAY, lease, KeyCursor.all(KEY), 10)).hasValue(1);

        assertThat(cancelled(waiting.id())).isTrue();

        assertThat(deadLetters.skip(KEY, TESTER)).isTrue();
        assertThat(store.restore(RELAY, lease, KEY, 10)).hasValue(0);
        assertThat(outbox()).isEmpty();
    }

    @Test
    void ofTwoTransactionsThatCancelAnEventTheSecondLearnsWhatBecameOfTheFirst() {
        Event committed = delayed(KEY, HOUR);
        Event rolledBack = delayed(KEY, HOUR);
        publish(committed, rolledBack);
        try (InParallel threads = new InParallel();
                StoreFixture.Transaction committing = fixture.begin();
                StoreFixture.Transaction rollingBack = fixture.begin()) {
            assertThat(committing.cancel(committed.id())).isTrue();
            assertThat(rollingBack.cancel(rolledBack.id())).isTrue();
            Future<Boolean> afterCommit = threads.start(() -> cancelled(committed.id()));
            Future<Boolean> afterRollback = threads.start(() -> cancelled(rolledBack.id()));
            assertThat(InParallel.isHeldUp(afterCommit)).isTrue();
            assertThat(InParallel.isHeldUp(afterRollback)).isTrue();

            committing.commit();
            rollingBack.rollback();

            assertThat(InParallel.result(afterCommit)).isFalse();
            assertThat(InParallel.result(afterRollback)).isTrue();
        }
        assertThat(outbox()).isEmpty();
    }

    @Test
    void cancellingWithoutATransactionIsRefused() {
        Event event = delayed(KEY, HOUR);
        publish(event);
        try (StoreFixture.Transaction ended = fixture.begin()) {
            ended.commit();

            assertThatThrownBy(() -> ended.cancel(event.id())).isInstanceOf(NoTransactionException.class);
        }
        assertThat(outbox()).hasSize(1);
    }

    private boolean cancelled(UUID id) {
        try (StoreFixture.Transaction transaction = fixture.begin()) {
            boolean found = transaction.cancel(id);
            transaction.commit();
            return found;
        }
    }
}
