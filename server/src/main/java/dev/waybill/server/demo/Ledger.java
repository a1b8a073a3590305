package dev.waybill.server.demo;

import dev.waybill.event.Event;
import dev.waybill.testkit.check.CheckedTransaction;
import dev.waybill.testkit.check.OrderChecker;
import dev.waybill.testkit.check.Verdict;
import java.util.UUID;

/** Keeps the books of what was committed and what arrived, and when. Thread-safe. */
final class Ledger {
    private final OrderChecker checker = new OrderChecker();
    private final DeliveryTimes times;

    Ledger(Latencies latencies) {
        times = new DeliveryTimes(latencies);
    }

    /** Opens the page of a transaction that is going to publish this event. */
    Page begin(Event event) {
        return new Page(event);
    }

    void delivered(UUID id) {
        times.called(id);
        checker.delivered(id);
    }

    /** What has not arrived counts as pending. */
    Verdict soFar() {
        return checker.verdict(id -> true);
    }

    /** What has not arrived is lost, unless the database still has it. */
    Verdict verdict(java.util.function.Predicate<UUID> stillThere) {
        return checker.verdict(stillThere);
    }

    /** One transaction with one event; used by the thread of the transaction. */
    final class Page {
        private final Event event;
        private final CheckedTransaction transaction = checker.begin();
        private boolean committing;

        private Page(Event event) {
            this.event = event;
        }

        void inserting() {
            times.writing(event.id());
            transaction.inserting(event);
        }

        void committing() {
            committing = true;
            transaction.committing();
        }

        void committed() {
            times.committed(event.id());
            transaction.committed();
        }

        /** The transaction threw: before the commit nothing has happened, during the commit nobody knows. */
        void failed() {
            times.forget(event.id());
            if (committing) {
                transaction.unknown();
            } else {
                transaction.rolledBack();
            }
        }
    }
}
