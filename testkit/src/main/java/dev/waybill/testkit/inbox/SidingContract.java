package dev.waybill.testkit.inbox;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.event.Event;
import dev.waybill.event.EventHeaders;
import dev.waybill.inbox.Setback;
import dev.waybill.store.Entry;
import dev.waybill.store.KeyCursor;
import dev.waybill.store.OrderKey;
import dev.waybill.testkit.store.InParallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every siding promises, as tests: how events are put aside. An implementation adds a subclass that supplies an
 * {@link InboxFixture}.
 *
 * @param <T> the transaction
 */
public abstract class SidingContract<T> extends InboxTestBase<T> {
    private static final OrderKey LANE = new OrderKey(STOCK, "42");

    @Test
    void nothingIsAsideAtFirst() {
        assertThat(isAside(LANE)).isFalse();
        assertThat(store.stored(STOCK, 0, 10)).isEmpty();
    }

    @Test
    void whatFailedWaitsForItsNextAttempt() {
        Event event = event("42");

        setAside(event, 5, Setback.retry(1, "no connection", Duration.ofMinutes(1)));

        Entry entry = onlyOne();
        assertThat(entry.event()).isEqualTo(event);
        assertThat(entry.attempts()).isEqualTo(1);
        assertThat(entry.lastError()).isEqualTo("no connection");
        assertThat(entry.replay()).isEqualTo(5);
        Entry read = fixture.siding().readKeys(List.of(KeyCursor.all(LANE)), 10).get(0);
        assertThat(read.dueIn()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(61));
        assertThat(isAside(LANE)).isTrue();
        assertThat(isAside(new OrderKey(STOCK, "43"))).isFalse();
        assertThat(isAside(new OrderKey(MAILS, "42"))).isFalse();
        assertThat(isAside(new OrderKey("orders", "42"))).isFalse();
    }

    @Test
    void whatWaitsBehindIsDueAtOnceAndHasNoAttempt() {
        setAside(event("42"), 0, Setback.retry(1, "no", Duration.ofMinutes(1)));

        setAside(event("42"), 0, Setback.waiting());
        setAside(event("42"), 0, Setback.retry(1, "failed too", Duration.ofMinutes(1)));

        List<Entry> entries = fixture.siding().readKeys(List.of(KeyCursor.all(LANE)), 10);
        assertThat(entries).extracting(Entry::attempts).containsExactly(1, 0, 1);
        assertThat(entries.get(1).isDue()).isTrue();
        assertThat(entries.get(2).isDue()).isTrue();
        assertThat(entries).isSortedAccordingTo((a, b) -> Long.compare(a.sequence(), b.sequence()));
    }

    @Test
    void aDeadOneIsADeadLetterAtOnceAndParksItsKey() {
        Event event = event("42");

        setAside(event, 0, Setback.dead(1, "java.lang.IllegalStateException: declined"));

        assertThat(letters())
                .singleElement()
                .matches(letter -> letter.state() == DeadLetter.State.PENDING)
                .matches(DeadLetter::parksKey)
                .matches(letter -> letter.replays() == 0)
                .matches(letter -> letter.entry().attempts() == 1)
                .matches(letter -> letter.entry().event().equals(event));
        DeadLetter letter = letters().get(0);
        assertThat(letter.consumer()).hasValue(STOCK);
        assertThat(letter.publishedTo()).isEqualTo("orders");
        assertThat(letter.correlationId()).hasValue("c-1");
        assertThat(letter.entry().lastError()).contains("declined");
        assertThat(fixture.siding().readKeys(List.of(KeyCursor.all(LANE)), 10)).isEmpty();
        assertThat(isAside(LANE)).isTrue();
        assertThat(fixture.administration().deadLetters().parked(10)).hasSize(1);
    }

    @Test
    void aDeadOneBehindOthersIsTriedAfterThem() {
        setAside(event("42"), 0, Setback.dead(1, "the first"));

        setAside(event("42"), 0, Setback.dead(1, "the second"));

        assertThat(letters()).extracting(letter -> letter.entry().lastError()).containsExactly("the first");
        Entry second =
                fixture.siding().readKeys(List.of(KeyCursor.all(LANE)), 10).get(0);
        assertThat(second.lastError()).isEqualTo("the second");
        assertThat(second.isDue()).isTrue();
        assertThat(store.stored(STOCK, 0, 10)).hasSize(2);
    }

    @Test
    void ofTwoThatDieAtOnceOneParksTheKeyAndNoneIsLost() {
        try (InParallel threads = new InParallel()) {
            for (int round = 0; round < 10; round++) {
                String key = "round-" + round;
                List<Callable<Boolean>> deaths = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    deaths.add(() -> {
                        setAside(event(key), 0, Setback.dead(1, "no"));
                        return true;
                    });
                }
                threads.together(deaths);
            }
        }
        assertThat(letters()).hasSize(10).allMatch(DeadLetter::parksKey);
        assertThat(store.stored(STOCK, 0, 100)).hasSize(30);
    }

    @Test
    void aDeadOneWithoutAKeyParksNothing() {
        setAside(event(null), 0, Setback.dead(1, "no"));
        setAside(event(null), 0, Setback.dead(1, "no"));

        assertThat(letters()).hasSize(2).noneMatch(DeadLetter::parksKey);
        assertThat(fixture.administration().deadLetters().parked(10)).isEmpty();
    }

    @Test
    void nothingIsAsideOfATransactionThatRolledBack() {
        T transaction = fixture.begin();
        store.setAside(transaction, event("42"), 0, Setback.retry(1, "no", Duration.ofSeconds(1)));
        store.setAside(transaction, event("43"), 0, Setback.dead(1, "no"));
        assertThat(store.isAside(transaction, LANE)).as("it sees its own").isTrue();
        assertThat(isAside(LANE)).as("others do not").isFalse();
        fixture.rollback(transaction);

        assertThat(isAside(LANE)).isFalse();
        assertThat(isAside(new OrderKey(STOCK, "43"))).isFalse();
        assertThat(store.stored(STOCK, 0, 10)).isEmpty();
        assertThat(letters()).isEmpty();
    }

    @Test
    void aPausedKeyIsAside() {
        fixture.administration().operations().pauseKey(LANE, TESTER);

        assertThat(isAside(LANE)).isTrue();
        fixture.administration().operations().resumeKey(LANE, TESTER);
    }

    @Test
    void allThatIsStoredIsReadInPagesAndDiscardedOnesAreNot() {
        for (int i = 0; i < 7; i++) {
            setAside(event("key-" + i), 0, i % 2 == 0 ? Setback.dead(1, "no") : Setback.waiting());
        }
        setAside(event("key-0"), 0, Setback.waiting());
        DeadLetters deadLetters = fixture.administration().deadLetters();
        deadLetters.discard(letters().get(1).entry().sequence(), TESTER);

        List<Entry> read = new ArrayList<>(store.stored(STOCK, 0, 3));
        for (List<Entry> page = read; page.size() == 3; read.addAll(page)) {
            page = store.stored(STOCK, read.get(read.size() - 1).sequence(), 3);
        }

        assertThat(read).hasSize(7);
        assertThat(read).extracting(Entry::sequence).doesNotHaveDuplicates().isSorted();
        assertThat(store.stored(MAILS, 0, 10)).isEmpty();
    }

    @Test
    void aLongReasonIsCutAndAStrangeOneIsStored() {
        setAside(event("42"), 0, Setback.dead(1, "x".repeat(100_000)));
        setAside(event("43"), 0, Setback.dead(1, "NUL \0, half a pair \uD83D, \n line"));

        assertThat(letters().get(0).entry().lastError()).hasSizeBetween(1_000, 4_000);
        assertThat(letters().get(1).entry().lastError()).startsWith("NUL ").contains("\n line");
    }

    private static Event event(@Nullable String key) {
        Event.Builder event = Event.to(STOCK)
                .type("OrderPlaced")
                .json("{\"a\":1}")
                .header("correlation-id", "c-1")
                .header(EventHeaders.ORIGIN, "orders");
        return key == null ? event.build() : event.key(key).build();
    }

    private void setAside(Event event, int replay, Setback setback) {
        T transaction = fixture.begin();
        store.setAside(transaction, event, replay, setback);
        fixture.commit(transaction);
    }

    private boolean isAside(OrderKey lane) {
        T transaction = fixture.begin();
        boolean aside = store.isAside(transaction, lane);
        fixture.rollback(transaction);
        return aside;
    }

    private Entry onlyOne() {
        List<Entry> stored = store.stored(STOCK, 0, 10);
        assertThat(stored).hasSize(1);
        return stored.get(0);
    }

    private List<DeadLetter> letters() {
        return fixture.administration().deadLetters().list(DeadLetterFilter.all(), 0, 100);
    }
}
