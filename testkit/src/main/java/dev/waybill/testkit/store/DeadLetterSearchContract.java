package dev.waybill.testkit.store;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.Lease;
import dev.waybill.store.OrderKey;
import dev.waybill.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Finding dead letters among many. */
abstract class DeadLetterSearchContract extends StoreContract {
    private static final DeadLetterFilter ALL = DeadLetterFilter.all();

    private final List<Long> letters = new ArrayList<>();

    @BeforeEach
    void sixDeadLetters() {
        takeAll(RELAY);
        letters.clear();
        kill(Event.to("orders").key("a").type("placed"), "Connection refused");
        kill(Event.to("orders").key("b").type("placed"), "100% of schema_2 is 'wrong'");
        kill(Event.to("mails").key("a").type("sent"), "the peer: CONNECTION REFUSED");
        kill(Event.to("mails").type("sent"), "timeout");
        kill(Event.to("orders").key("c").type("paid"), "timeout");
        kill(Event.to("orders").key("d").type("paid"), "timeout");
        assertThat(deadLetters.skip(new OrderKey("orders", "c"), TESTER)).isTrue();
        assertThat(deadLetters.discard(letters.get(5), TESTER)).isTrue();
    }

    @Test
    void withoutAConditionAllAreFoundButTheDiscardedOnes() {
        assertFound(ALL, 0, 1, 2, 3, 4);
    }

    @Test
    void aConditionOfANameIsMetByExactlyThatName() {
        assertFound(ALL.withDestination("orders"), 0, 1, 4);
        assertFound(ALL.withDestination("mails"), 2, 3);
        assertFound(ALL.withDestination("Orders"));
        assertFound(ALL.withDestination("order"));
        assertFound(ALL.withDestination(""));
        assertFound(ALL.withKey("a"), 0, 2);
        assertFound(ALL.withKey("A"));
        assertFound(ALL.withKey("a "));
        assertFound(ALL.withType("placed"), 0, 1);
        assertFound(ALL.withType("sent"), 2, 3);
        assertFound(ALL.withType("placed' OR '1'='1"));
    }

    @Test
    void aConditionOfTheStateIsMetByThatState() {
        assertFound(ALL.withState(State.PENDING), 0, 1, 2, 3);
        assertFound(ALL.withState(State.SKIPPED), 4);
        assertFound(ALL.withState(State.DISCARDED), 5);
    }

    @Test
    void aReasonIsFoundByAnyPartOfItInUpperOrLowerCase() {
        assertFound(ALL.withReason("connection refused"), 0, 2);
        assertFound(ALL.withReason("REFUSED"), 0, 2);
        assertFound(ALL.withReason("Timeout"), 3, 4);
        assertFound(ALL.withReason("peer:"), 2);
        assertFound(ALL.withReason(""), 0, 1, 2, 3, 4);
        assertFound(ALL.withReason("refused connection"));
    }

    @Test
    void aReasonIsTextAndNoPattern() {
        assertFound(ALL.withReason("%"), 1);
        assertFound(ALL.withReason("_"), 1);
        assertFound(ALL.withReason("'wrong'"), 1);
        assertFound(ALL.withReason("."));
        assertFound(ALL.withReason("\\"));
        assertFound(ALL.withReason("c%d"));
        assertFound(ALL.withReason("t_meout"));
    }

    @Test
    void theTimeOfDeathIsFromOneTimeOnAndBeforeAnother() {
        Instant third = diedAt(2);
        Instant fifth = diedAt(4);

        assertFound(ALL.withDiedBetween(third, fifth), 2, 3);
        assertFound(ALL.withDiedBetween(third, null), 2, 3, 4);
        assertFound(ALL.withDiedBetween(null, third), 0, 1);
        assertFound(ALL.withDiedBetween(fifth, third));
        assertFound(ALL.withDiedBetween(Instant.MIN, Instant.MAX), 0, 1, 2, 3, 4);
    }

    @Test
    void severalConditionsHaveToBeMetAtOnce() {
        assertFound(ALL.withDestination("mails").withReason("refused"), 2);
        assertFound(ALL.withDestination("mails").withKey("a").withType("sent").withState(State.PENDING), 2);
        assertFound(ALL.withDestination("mails").withType("placed"));
        assertFound(ALL.withReason("timeout").withState(State.DISCARDED), 5);
        assertFound(ALL.withReason("timeout").withDiedBetween(diedAt(4), null), 4);
    }

    @Test
    void aDeadLetterIsFoundByItsSequenceWhateverItsState() {
        for (long sequence : letters) {
            DeadLetter letter = deadLetters.find(sequence).orElseThrow();
            assertThat(letter.entry().sequence()).isEqualTo(sequence);
        }
        assertThat(deadLetters.find(letters.get(5)).orElseThrow().state()).isEqualTo(State.DISCARDED);
        assertThat(deadLetters.find(letters.get(5) + 1)).isEmpty();
        assertThat(deadLetters.find(0)).isEmpty();
        assertThat(deadLetters.find(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void anEntryThatWaitsIsNoDeadLetter() {
        OrderKey key = new OrderKey("orders", "d");
        OrderKey parked = new OrderKey("orders", "e");
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), parked.shard());
        settle(lease, died(published(event(parked)), DeadLetterPolicy.PARK));
        Entry waiting = published(event(parked));
        assertThat(store.hold(RELAY, lease, KeyCursor.all(parked), 10)).hasValue(1);

        assertThat(deadLetters.find(waiting.sequence())).isEmpty();
        assertThat(deadLetters.count(ALL.withKey(parked.key()))).isEqualTo(1);
        assertThat(deadLetters.count(ALL.withKey(key.key()))).isZero();
    }

    private void kill(Event.Builder event, String reason) {
        Entry entry = published(event.build());
        Lease lease = leaseOf(store.renew(RELAY, LONG).leases(), entry.shard());
        settle(lease, new Outcome.Died(entry.shard(), entry.sequence(), reason, DeadLetterPolicy.PARK));
        letters.add(entry.sequence());
        fixture.passTime(Duration.ofMillis(2));
    }

    private Instant diedAt(int letter) {
        return deadLetters.find(letters.get(letter)).orElseThrow().diedAt();
    }

    /** Finds these, whole and in pages, and counts them. */
    private void assertFound(DeadLetterFilter filter, int... expected) {
        List<Long> sequences = new ArrayList<>();
        for (int letter : expected) {
            sequences.add(letters.get(letter));
        }
        assertThat(deadLetters.count(filter)).as("count of " + filter).isEqualTo(expected.length);
        for (int pageSize : new int[] {1, 2, 100}) {
            assertThat(paged(filter, pageSize)).as(filter + ", by " + pageSize).isEqualTo(sequences);
        }
    }

    private List<Long> paged(DeadLetterFilter filter, int pageSize) {
        List<Long> found = new ArrayList<>();
        List<DeadLetter> page;
        do {
            long after = found.isEmpty() ? 0 : found.get(found.size() - 1);
            page = deadLetters.list(filter, after, pageSize);
            assertThat(page).hasSizeLessThanOrEqualTo(pageSize);
            page.forEach(letter -> found.add(letter.entry().sequence()));
        } while (page.size() == pageSize);
        return found;
    }
}
