package dev.waybill.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.chaos.journal.Intent;
import dev.waybill.chaos.journal.TransactionJournal.Outcome;
import dev.waybill.chaos.journal.WrittenTransaction;
import dev.waybill.testkit.check.Verdict;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OrderReplayTest {
    private final Intent first = event(true);
    private final Intent second = event(true);

    @Test
    void anEventThatWasCommittedBeforeAnotherWasInsertedComesFirst() {
        Books books = books(transaction(1, 10, 20, first), transaction(2, 30, 40, second));
        assertThat(judge(books, first, second).outOfOrder()).isZero();
        assertThat(judge(books, second, first).outOfOrder()).isEqualTo(1);
    }

    @Test
    void transactionsThatOverlapHaveNoOrder() {
        Books books = books(transaction(1, 10, 30, first), transaction(2, 30, 40, second));
        assertThat(judge(books, second, first).outOfOrder()).isZero();
    }

    @Test
    void withinATransactionTheOrderIsThatOfPublishing() {
        Books books = books(transaction(1, 10, 20, first, second));
        assertThat(judge(books, second, first).outOfOrder()).isEqualTo(1);
    }

    @Test
    void aCommitThatNobodySawReturnComesBeforeNothing() {
        WrittenTransaction unknown =
                new WrittenTransaction(1, List.of(first), 10, Outcome.COMMITTED, WrittenTransaction.NEVER);
        Books books = books(unknown, transaction(2, 30, 40, second));
        assertThat(judge(books, second, first).outOfOrder()).isZero();
    }

    @Test
    void whatIsMissingIsLostAndWhatWasRolledBackIsAGhost() {
        Intent undone = event(false);
        Books books = books(transaction(1, 10, 20, first, undone));
        Verdict verdict = judge(books, undone);
        assertThat(verdict.lost()).isEqualTo(1);
        assertThat(verdict.ghosts()).isEqualTo(1);
        assertThat(books.committed()).containsOnlyKeys(first.id());
        assertThat(books.undone()).isEqualTo(1);
    }

    private static Verdict judge(Books books, Intent... arrivals) {
        return OrderReplay.judge(
                books,
                Stream.of(arrivals)
                        .map(event -> new Arrival(event.id(), "orders-0", 0, 0))
                        .toList());
    }

    private static Books books(WrittenTransaction... transactions) {
        return new Books(List.of(transactions), 0, 0, List.of());
    }

    private static WrittenTransaction transaction(long id, long begun, long ended, Intent... events) {
        return new WrittenTransaction(id, List.of(events), begun, Outcome.COMMITTED, ended);
    }

    private static Intent event(boolean kept) {
        return new Intent(UUID.randomUUID(), "orders", "k", kept);
    }
}
