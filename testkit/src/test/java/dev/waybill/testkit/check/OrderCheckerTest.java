package dev.waybill.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OrderCheckerTest {
    private static final String ORDERS = "orders";

    private final OrderChecker checker = new OrderChecker();
    private int ids;

    @Test
    void whatArrivesInOrderIsFine() {
        UUID first = committed("k");
        UUID second = committed("k");
        checker.delivered(first);
        checker.delivered(second);

        Verdict verdict = checker.verdict();
        assertThat(verdict).isEqualTo(new Verdict(2, 0, 0, 0, 2, 0, 0, 0, 0, 0, List.of()));
        assertThat(verdict.holds()).isTrue();
    }

    @Test
    void aCommittedEventThatNeverArrivesIsLost() {
        UUID lost = committed("k");
        UUID inOutbox = committed("k");
        UUID keyless = committed(null);

        Verdict verdict = checker.verdict(Set.of(inOutbox)::contains);
        assertThat(verdict.lost()).isEqualTo(2);
        assertThat(verdict.pending()).isEqualTo(1);
        assertThat(verdict.holds()).isFalse();
        assertThat(verdict.toString())
                .startsWith("BROKEN: 3 written")
                .contains(lost.toString())
                .contains(keyless.toString());
    }

    @Test
    void anEventThatOvertakesOneCommittedBeforeItsInsertIsOutOfOrder() {
        UUID first = committed("k");
        UUID second = committed("k");
        checker.delivered(second);
        checker.delivered(first);

        Verdict verdict = checker.verdict();
        assertThat(verdict.outOfOrder()).isEqualTo(1);
        assertThat(verdict.holds()).isFalse();
        assertThat(verdict.examples())
                .singleElement()
                .asString()
                .contains(first + " of orders/k")
                .contains(second.toString());
    }

    @Test
    void everyOvertakenEventCountsOnce() {
        UUID first = committed("k");
        UUID second = committed("k");
        UUID third = committed("k");
        UUID fourth = committed("k");
        List.of(third, fourth, first, second).forEach(checker::delivered);

        assertThat(checker.verdict().outOfOrder()).isEqualTo(2);
    }

    @Test
    void overlappingTransactionsAreUnordered() {
        CheckedTransaction one = checker.begin();
        CheckedTransaction two = checker.begin();
        UUID first = insert(one, "k");
        UUID second = insert(two, "k");
        commit(one);
        commit(two);
        checker.delivered(second);
        checker.delivered(first);

        assertThat(checker.verdict().holds()).isTrue();
    }

    @Test
    void anInsertThatStartedWhileTheOtherCommitWasUnderWayIsUnordered() {
        CheckedTransaction one = checker.begin();
        UUID first = insert(one, "k");
        one.committing();
        CheckedTransaction two = checker.begin();
        UUID second = insert(two, "k");
        one.committed();
        commit(two);
        checker.delivered(second);
        checker.delivered(first);

        assertThat(checker.verdict().holds()).isTrue();
    }

    @Test
    void aTransactionThatBeganEarlyButInsertedLateIsOrdered() {
        CheckedTransaction early = checker.begin();
        insert(early, "other");
        UUID first = committed("k");
        UUID second = insert(early, "k");
        commit(early);
        checker.delivered(second);
        checker.delivered(first);

        assertThat(checker.verdict(id -> true).outOfOrder()).isEqualTo(1);
    }

    @Test
    void keysDestinationsAndKeylessEventsAreIndependent() {
        UUID first = committed("k");
        UUID otherKey = committed("other");
        UUID keyless = committed(null);
        UUID keylessLater = committed(null);
        CheckedTransaction transaction = checker.begin();
        UUID otherDestination = UUID.randomUUID();
        transaction.inserting(otherDestination, "payments", "k");
        commit(transaction);
        List.of(otherDestination, keylessLater, keyless, otherKey, first).forEach(checker::delivered);

        assertThat(checker.verdict().holds()).isTrue();
    }

    @Test
    void publishOrderHoldsWithinATransaction() {
        CheckedTransaction transaction = checker.begin();
        UUID first = insert(transaction, "k");
        insert(transaction, "other");
        UUID second = insert(transaction, "k");
        commit(transaction);
        checker.delivered(second);
        checker.delivered(first);

        assertThat(checker.verdict(id -> true).outOfOrder()).isEqualTo(1);
    }

    @Test
    void publishOrderHoldsAlsoWhenTheOutcomeOfTheCommitIsUnknown() {
        CheckedTransaction transaction = checker.begin();
        UUID first = insert(transaction, "k");
        UUID second = insert(transaction, "k");
        transaction.committing();
        transaction.unknown();
        checker.delivered(second);
        checker.delivered(first);

        assertThat(checker.verdict().outOfOrder()).isEqualTo(1);
    }

    @Test
    void publishOrderPassesOverWhatASavepointTookBack() {
        CheckedTransaction transaction = checker.begin();
        UUID first = insert(transaction, "k");
        int savepoint = transaction.savepoint();
        UUID gone = insert(transaction, "k");
        transaction.rolledBackTo(savepoint);
        UUID last = insert(transaction, "k");
        commit(transaction);
        checker.delivered(first);
        checker.delivered(last);
        assertThat(checker.verdict().holds()).isTrue();
        assertThat(checker.verdict().rolledBack()).isEqualTo(1);

        checker.delivered(gone);
        assertThat(checker.verdict().ghosts()).isEqualTo(1);
    }

    @Test
    void whatIsBeforeTheSavepointStillComesFirst() {
        CheckedTransaction transaction = checker.begin();
        UUID first = insert(transaction, "k");
        int savepoint = transaction.savepoint();
        insert(transaction, "k");
        transaction.rolledBackTo(savepoint);
        UUID last = insert(transaction, "k");
        commit(transaction);
        checker.delivered(last);
        checker.delivered(first);

        assertThat(checker.verdict().outOfOrder()).isEqualTo(1);
    }

    @Test
    void strictKeysKeepCommitOrderWhenTransactionsOverlap() {
        OrderChecker strict = new OrderChecker(new OrderKey(ORDERS, "k")::equals);
        CheckedTransaction one = strict.begin();
        CheckedTransaction two = strict.begin();
        UUID second = insert(two, "k");
        UUID first = insert(one, "k");
        UUID looseSecond = insert(two, "loose");
        UUID looseFirst = insert(one, "loose");
        commit(one);
        commit(two);
        List.of(second, first, looseSecond, looseFirst).forEach(strict::delivered);

        assertThat(strict.verdict().outOfOrder()).isEqualTo(1);
        assertThat(strict.verdict().examples()).singleElement().asString().contains("committed later");
    }

    @Test
    void strictKeysAreUnorderedWhenTheCommitsThemselvesOverlap() {
        OrderChecker strict = new OrderChecker(key -> true);
        CheckedTransaction one = strict.begin();
        CheckedTransaction two = strict.begin();
        UUID first = insert(one, "k");
        UUID second = insert(two, "k");
        one.committing();
        two.committing();
        one.committed();
        two.committed();
        strict.delivered(second);
        strict.delivered(first);

        assertThat(strict.verdict().holds()).isTrue();
    }

    @Test
    void aRelayMayBeFasterThanTheWriterThatRecordsItsCommit() {
        CheckedTransaction transaction = checker.begin();
        UUID first = insert(transaction, "k");
        transaction.committing();
        checker.delivered(first);
        assertThat(checker.verdict().holds()).isTrue();

        transaction.committed();
        UUID second = committed("k");
        checker.delivered(second);
        assertThat(checker.verdict()).isEqualTo(new Verdict(2, 0, 0, 0, 2, 0, 0, 0, 0, 0, List.of()));
        checker.delivered(first);
        assertThat(checker.verdict().duplicates()).isEqualTo(1);
    }

    @Test
    void whatArrivesBeforeItsTransactionBeginsToCommitIsAGhost() {
        CheckedTransaction transaction = checker.begin();
        UUID dirty = insert(transaction, "k");
        checker.delivered(dirty);

        assertThat(checker.verdict().ghosts()).isEqualTo(1);
        assertThat(checker.verdict().undecided()).isEqualTo(1);
    }

    @Test
    void whatArrivesAndIsRolledBackIsAGhostInWhateverOrderThatIsSeen() {
        CheckedTransaction late = checker.begin();
        UUID arrivesFirst = insert(late, "k");
        late.committing();
        checker.delivered(arrivesFirst);
        assertThat(checker.verdict().ghosts()).isZero();
        late.rolledBack();
        assertThat(checker.verdict().ghosts()).isEqualTo(1);
        assertThat(checker.verdict().delivered()).isZero();

        CheckedTransaction transaction = checker.begin();
        UUID rolledBackFirst = insert(transaction, "k");
        transaction.rolledBack();
        checker.delivered(rolledBackFirst);
        assertThat(checker.verdict().ghosts()).isEqualTo(2);
        assertThat(checker.verdict().rolledBack()).isEqualTo(2);
    }

    @Test
    void whatNobodyWroteIsAGhost() {
        checker.delivered(UUID.randomUUID());

        Verdict verdict = checker.verdict();
        assertThat(verdict.ghosts()).isEqualTo(1);
        assertThat(verdict.holds()).isFalse();
    }

    @Test
    void whatIsRolledBackHoldsNobodyUp() {
        CheckedTransaction transaction = checker.begin();
        insert(transaction, "k");
        transaction.rolledBack();
        checker.delivered(committed("k"));

        assertThat(checker.verdict().holds()).isTrue();
    }

    @Test
    void furtherArrivalsAreDuplicatesAndBreakNoOrder() {
        UUID first = committed("k");
        UUID second = committed("k");
        List.of(first, first, second, first, second).forEach(checker::delivered);

        Verdict verdict = checker.verdict();
        assertThat(verdict.duplicates()).isEqualTo(3);
        assertThat(verdict.delivered()).isEqualTo(2);
        assertThat(verdict.holds()).isTrue();
    }

    @Test
    void anUnknownCommitMayOrMayNotArrive() {
        UUID arrives = unknown("k");
        UUID doesNot = unknown("k");
        UUID later = committed("k");
        checker.delivered(later);
        checker.delivered(arrives);
        checker.delivered(arrives);

        Verdict verdict = checker.verdict();
        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.written()).isEqualTo(2);
        assertThat(verdict.undecided()).isEqualTo(1);
        assertThat(verdict.duplicates()).isEqualTo(1);
        checker.delivered(doesNot);
        assertThat(checker.verdict().undecided()).isZero();
    }

    @Test
    void anUnknownCommitThatArrivesMustNotOvertake() {
        UUID first = committed("k");
        UUID second = unknown("k");
        checker.delivered(second);
        checker.delivered(first);

        assertThat(checker.verdict().outOfOrder()).isEqualTo(1);
    }

    @Test
    void anExcusedEventMayBeOvertakenBeforeAndAfterTheExcuse() {
        UUID dead = committed("k");
        UUID later = committed("k");
        checker.delivered(later);
        assertThat(checker.verdict(id -> true).outOfOrder()).isEqualTo(1);
        checker.excused(dead);
        assertThat(checker.verdict(id -> true)).satisfies(verdict -> {
            assertThat(verdict.outOfOrder()).isZero();
            assertThat(verdict.examples()).isEmpty();
            assertThat(verdict.pending()).isEqualTo(1);
        });

        checker.delivered(committed("k"));
        checker.delivered(dead);
        assertThat(checker.verdict().holds()).isTrue();
    }

    @Test
    void anExcusedEventStillHasToBeSomewhere() {
        UUID dead = committed("k");
        checker.excused(dead);

        assertThat(checker.verdict().lost()).isEqualTo(1);
    }

    @Test
    void anExcuseDoesNotHideOthersThatAreOvertaken() {
        UUID dead = committed("k");
        UUID first = committed("k");
        UUID second = committed("k");
        checker.excused(dead);
        checker.delivered(second);
        checker.delivered(first);

        assertThat(checker.verdict(id -> true).outOfOrder()).isEqualTo(1);
    }

    @Test
    void aCancelledEventIsNotMissedAndMustNotArrive() {
        UUID cancelled = committed("k");
        UUID later = committed("k");
        checker.cancelled(cancelled);
        checker.delivered(later);
        Verdict verdict = checker.verdict();
        assertThat(verdict).isEqualTo(new Verdict(1, 0, 1, 0, 1, 0, 0, 0, 0, 0, List.of()));

        checker.delivered(cancelled);
        assertThat(checker.verdict().ghosts()).isEqualTo(1);
    }

    @Test
    void aCancelledEventThatHadArrivedIsAGhost() {
        UUID arrived = committed(null);
        checker.delivered(arrived);
        checker.cancelled(arrived);

        assertThat(checker.verdict().ghosts()).isEqualTo(1);
    }

    @Test
    void anUncertainEventMayOrMayNotArrive() {
        UUID arrives = committed("k");
        UUID doesNot = committed("k");
        checker.uncertain(arrives);
        checker.uncertain(doesNot);
        checker.delivered(committed("k"));
        checker.delivered(arrives);

        Verdict verdict = checker.verdict();
        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.written()).isEqualTo(2);
        assertThat(verdict.undecided()).isEqualTo(1);
    }

    @Test
    void misuseIsRefused() {
        CheckedTransaction transaction = checker.begin();
        UUID id = insert(transaction, "k");
        assertThatThrownBy(() -> transaction.inserting(id, ORDERS, "k")).hasMessageContaining("inserted twice");
        assertThatThrownBy(transaction::committed).hasMessageContaining("committing()");
        transaction.rolledBack();
        assertThatThrownBy(transaction::committing).hasMessageContaining("ended");
    }

    @Test
    void eventsOfOneCallAreInTheirOrder() {
        CheckedTransaction transaction = checker.begin();
        Event first = Event.to(ORDERS).key("k").type("t").build();
        Event second = Event.to(ORDERS).key("k").type("t").build();
        transaction.inserting(List.of(first, second));
        transaction.inserting(Event.to(ORDERS).type("t").build());
        commit(transaction);
        checker.delivered(second.id());
        checker.delivered(first.id());

        assertThat(checker.verdict(id -> true).outOfOrder()).isEqualTo(1);
    }

    private UUID committed(@Nullable String key) {
        CheckedTransaction transaction = checker.begin();
        UUID id = insert(transaction, key);
        commit(transaction);
        return id;
    }

    private UUID unknown(String key) {
        CheckedTransaction transaction = checker.begin();
        UUID id = insert(transaction, key);
        transaction.committing();
        transaction.unknown();
        return id;
    }

    private UUID insert(CheckedTransaction transaction, @Nullable String key) {
        UUID id = new UUID(0x7000L, 0x8000000000000000L | ++ids);
        transaction.inserting(id, ORDERS, key);
        return id;
    }

    private static void commit(CheckedTransaction transaction) {
        transaction.committing();
        transaction.committed();
    }
}
