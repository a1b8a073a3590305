package dev.waybill.chaos.check;

import dev.waybill.chaos.journal.Intent;
import dev.waybill.chaos.journal.TransactionJournal.Outcome;
import dev.waybill.chaos.journal.WrittenTransaction;
import dev.waybill.testkit.check.CheckedTransaction;
import dev.waybill.testkit.check.OrderChecker;
import dev.waybill.testkit.check.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells the order checker what happened, in the order in which it happened.
 *
 * <p>Inserts count from when they were about to begin, commits from when they had returned: then a pair that the checker
 * holds to its order had that order for certain.
 */
final class OrderReplay {
    private record Moment(long nanos, WrittenTransaction transaction, boolean isEnd) {}

    private OrderReplay() {}

    static Verdict judge(Books books, List<Arrival> arrivals) {
        OrderChecker checker = new OrderChecker();
        Map<Long, CheckedTransaction> open = new HashMap<>();
        for (Moment moment : moments(books)) {
            WrittenTransaction one = moment.transaction();
            CheckedTransaction ending = moment.isEnd() ? open.remove(one.id()) : null;
            if (ending != null) {
                end(ending, one.outcome());
            } else {
                CheckedTransaction begun = checker.begin();
                open.put(one.id(), begun);
                one.events().stream()
                        .filter(Intent::kept)
                        .forEach(event -> begun.inserting(event.id(), event.destination(), event.key()));
            }
        }
        arrivals.forEach(arrival -> checker.delivered(arrival.id()));
        return checker.verdict();
    }

    private static void end(CheckedTransaction transaction, Outcome outcome) {
        if (outcome == Outcome.COMMITTED) {
            transaction.committing();
            transaction.committed();
        } else {
            transaction.rolledBack();
        }
    }

    private static List<Moment> moments(Books books) {
        List<Moment> moments = new ArrayList<>();
        for (WrittenTransaction one : books.transactions()) {
            moments.add(new Moment(one.begun(), one, false));
            moments.add(new Moment(one.ended(), one, true));
        }
        // At the same moment inserts come first: then no order is claimed.
        moments.sort(Comparator.comparingLong(Moment::nanos).thenComparing(Moment::isEnd));
        return moments;
    }
}
