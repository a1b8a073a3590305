package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.Bulk;
import dev.waybill.deadletter.Correction;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.ReplayLimitException;
import dev.waybill.event.Payload;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of dead letters that are tried again. The store's limit is three replays. */
abstract class RedriveContract extends StoreContract {

    @Test
    void aReplayedDeadLetterIsReplayingAndThenResolved() {
        Entry dead = kill(DeadLetterPolicy.SKIP, "the first reason");

        deadLetters.redrive(dead.sequence(), TESTER);

        assertThat(letter(dead)).matches(letter -> letter.state() == State.REPLAYING && letter.replays() == 1);
        assertThat(in(State.REPLAYING)).containsExactly(dead.sequence());
        assertThat(in(State.RESOLVED)).isEmpty();
        settle(lease(dead), delivered(dead));
        assertThat(letter(dead)).matches(letter -> letter.state() == State.RESOLVED && letter.replays() == 1);
        assertThat(letter(dead).entry().event()).isEqualTo(dead.event());
        assertThat(letter(dead).entry().lastError()).isEqualTo("the first reason");
        assertThat(in(State.RESOLVED)).containsExactly(dead.sequence());
        assertThat(deadLetters.count(DeadLetterFilter.all().withState(State.RESOLVED)))
                .isEqualTo(1);
        assertThat(undecided()).as("nothing is left to decide").isEmpty();
    }

    @Test
    void aReplayThatFailsIsPendingAgainWithTheNewReason() {
        Entry dead = kill(DeadLetterPolicy.SKIP, "the first reason");
        deadLetters.redrive(dead.sequence(), TESTER);

        die(dead, DeadLetterPolicy.SKIP, "the second reason");

        assertThat(letter(dead)).matches(letter -> letter.state() == State.PENDING && letter.replays() == 1);
        assertThat(letter(dead).entry().lastError()).isEqualTo("the second reason");
        assertThat(undecided()).containsExactly(dead.sequence());
        assertThat(in(State.REPLAYING)).isEmpty();
        assertThat(in(State.RESOLVED)).isEmpty();
    }

    @Test
    void aReleasedDeadLetterIsReplayingUntilItHasArrived() {
        Entry dead = kill(DeadLetterPolicy.PARK, "no");

        deadLetters.release(KEY, TESTER);

        assertThat(letter(dead)).matches(letter -> letter.state() == State.REPLAYING && letter.replays() == 1);
        assertThat(letter(dead).parksKey()).isFalse();
        assertThat(store.restore(RELAY, lease(dead), KEY, 10)).hasValue(1);
        assertThat(letter(dead).state()).isEqualTo(State.REPLAYING);
        settle(lease(dead), delivered(dead));
        assertThat(letter(dead).state()).isEqualTo(State.RESOLVED);
    }

    @Test
    void aDeadLetterIsReplayedThreeTimesAtMost() {
        Entry dead = kill(DeadLetterPolicy.SKIP, "no");
        for (int i = 1; i <= 3; i++) {
            assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isTrue();
            die(dead, DeadLetterPolicy.SKIP, "no, the " + i + ". time");
        }
        int decisions = audited().size();

        assertThatThrownBy(() -> deadLetters.redrive(dead.sequence(), TESTER))
                .isInstanceOf(ReplayLimitException.class)
                .hasMessageContaining("3 times")
                .hasMessageContaining("discard");

        assertThat(letter(dead)).matches(letter -> letter.state() == State.PENDING && letter.replays() == 3);
        assertThat(outbox()).isEmpty();
        assertThat(audited()).hasSize(decisions);
    }

    @Test
    void aParkedKeyIsReleasedThreeTimesAtMostAndStaysParked() {
        Entry dead = kill(DeadLetterPolicy.PARK, "no");
        for (int i = 1; i <= 3; i++) {
            assertThat(deadLetters.release(KEY, TESTER)).isTrue();
            store.restore(RELAY, lease(dead), KEY, 10);
            die(dead, DeadLetterPolicy.PARK, "no");
        }

        assertThatThrownBy(() -> deadLetters.release(KEY, TESTER)).isInstanceOf(ReplayLimitException.class);

        assertThat(letter(dead).parksKey()).isTrue();
        assertThat(deadLetters.skip(KEY, TESTER)).as("others may go on").isTrue();
    }

    @Test
    void aCorrectedDeadLetterIsCountedAnew() {
        Entry dead = kill(DeadLetterPolicy.SKIP, "no");
        for (int i = 0; i < 3; i++) {
            deadLetters.redrive(dead.sequence(), TESTER);
            die(dead, DeadLetterPolicy.SKIP, "no");
        }

        deadLetters.edit(dead.sequence(), Correction.none().withPayload(Payload.utf8("better")), TESTER);

        assertThat(letter(dead).replays()).isZero();
        assertThat(deadLetters.redrive(dead.sequence(), TESTER)).isTrue();
        assertThat(letter(dead).replays()).isEqualTo(1);
    }

    @Test
    void whatIsReplayingOrResolvedIsNothingToDecideAbout() {
        Entry dead = kill(DeadLetterPolicy.SKIP, "no");
        deadLetters.redrive(dead.sequence(), TESTER);

        assertThat(undecidable(dead)).isTrue();
        settle(lease(dead), delivered(dead));

        assertThat(undecidable(dead)).isTrue();
        assertThat(letter(dead).state()).isEqualTo(State.RESOLVED);
    }

    @Test
    void manyAreReplayedAtOnceAndThoseAtTheLimitAreNamed() {
        Entry tired = kill(DeadLetterPolicy.SKIP, "no");
        for (int i = 0; i < 3; i++) {
            deadLetters.redrive(tired.sequence(), TESTER);
            die(tired, DeadLetterPolicy.SKIP, "no");
        }
        Entry fresh = kill(DeadLetterPolicy.SKIP, "no");
        Bulk bulk = new Bulk(deadLetters, DeadLetterFilter.all().withReason("NO"));

        assertThat(bulk.count()).as("a dry run").isEqualTo(2);
        assertThat(bulk.redrive(TESTER)).isEqualTo(new Bulk.Outcome(1, 0, List.of(tired.sequence())));

        assertThat(in(State.REPLAYING)).containsExactly(fresh.sequence());
        assertThat(bulk.discard(TESTER)).isEqualTo(new Bulk.Outcome(1, 0, List.of()));
    }

    private boolean undecidable(Entry dead) {
        long sequence = dead.sequence();
        return !deadLetters.redrive(sequence, TESTER)
                && !deadLetters.discard(sequence, TESTER)
                && !deadLetters.edit(sequence, Correction.none().withType("Other", 2), TESTER);
    }

    private Entry kill(DeadLetterPolicy policy, String reason) {
        takeAll(RELAY);
        Entry entry = published(event(KEY));
        die(entry, policy, reason);
        return entry;
    }

    private void die(Entry entry, DeadLetterPolicy policy, String reason) {
        settle(lease(entry), new Outcome.Died(entry.shard(), entry.sequence(), reason, policy));
    }

    private Lease lease(Entry entry) {
        return leaseOf(store.renew(RELAY, LONG).leases(), entry.shard());
    }

    private DeadLetter letter(Entry entry) {
        return deadLetters.find(entry.sequence()).orElseThrow();
    }

    private List<Long> undecided() {
        return sequencesOf(DeadLetterFilter.all());
    }

    private List<Long> in(State state) {
        return sequencesOf(DeadLetterFilter.all().withState(state));
    }

    private List<Long> sequencesOf(DeadLetterFilter filter) {
        return deadLetters.list(filter, 0, 10).stream()
                .map(letter -> letter.entry().sequence())
                .toList();
    }
}
