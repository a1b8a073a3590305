package dev.waybill.examples.shop.demo;

import dev.waybill.audit.Signature;
import dev.waybill.deadletter.Bulk;
import dev.waybill.deadletter.DeadLetter.State;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.examples.shop.demo.Snapshot.ConsumerState;
import dev.waybill.operations.Statistics.OfDestination;
import dev.waybill.server.metrics.BreakerStates;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import io.micrometer.core.instrument.Counter;
import java.util.List;

/** What an operator sees and does at the consumer of payments, which fails on purpose. Thread-safe. */
final class PaymentsDesk {
    private final Service payments;
    private final JdbcOutboxStore siding;
    private final Faults faults;
    private final Incidents incidents;

    PaymentsDesk(Service payments, Faults faults, Incidents incidents) {
        this.payments = payments;
        this.siding = payments.siding();
        this.faults = faults;
        this.incidents = incidents;
    }

    /** From now on everything works. */
    void heal() {
        faults.close();
        incidents.add("payments are healed");
    }

    /** What an operator does when the cause is mended: has all dead letters tried again. */
    void redriveAll() {
        Bulk open = new Bulk(siding.deadLetters(), DeadLetterFilter.all());
        if (open.count() > 0) {
            Bulk.Outcome outcome = open.redrive(Signature.of("demo operator", "the bank is mended"));
            incidents.add("an operator replays " + Format.count(outcome.changed(), "dead letter"));
        }
    }

    ConsumerState state() {
        // Before the counters, so that no more can be aside than was put there.
        List<OfDestination> all = siding.operations().statistics().destinations();
        return new ConsumerState(
                count("handled"),
                count("aside"),
                count("deferred"),
                faults.retries(),
                all.stream().mapToLong(OfDestination::pending).sum(),
                all.stream().mapToLong(OfDestination::waiting).sum(),
                letters(State.PENDING) + letters(State.SKIPPED) + letters(State.REPLAYING),
                letters(State.RESOLVED),
                faults.outages(),
                BreakerStates.of(Shop.PAYMENTS, payments.meters()));
    }

    private long letters(State state) {
        return siding.deadLetters().count(DeadLetterFilter.all().withState(state));
    }

    private long count(String result) {
        return (long) payments.meters().find("inbox.events").tag("result", result).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
