package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.examples.shop.demo.Snapshot.Counts;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Latencies effects = new Latencies(1);
    private final Latencies roundTrips = new Latencies(1);
    private final OrderTimes times = new OrderTimes(effects, roundTrips);
    private final Ledger ledger = new Ledger(times);

    @Test
    void anOrderIsUnderWayFromItsTransactionToItsEnd() {
        place(1);
        ledger.tookEffect("inventory", event("orders", "anna", 1));
        assertThat(times.underWay()).isEqualTo(1);
        ledger.tookEffect("orders", event("payments", "anna", 1));
        assertThat(times.underWay()).isZero();
        assertThat(ledger.soFar(4)).isEqualTo(new Counts(1, 0, 1, 4, 0, 0));
    }

    @Test
    void whatWasRolledBackAndTookEffectIsAGhost() {
        ledger.placing(1);
        ledger.rolledBack(1);
        ledger.tookEffect("inventory", event("orders", "anna", 1));
        assertThat(ledger.soFar(0)).isEqualTo(new Counts(0, 1, 0, 0, 1, 0));
        assertThat(times.underWay()).isZero();
    }

    @Test
    void anEarlierOrderOfACustomerAfterALaterOneIsOutOfOrder() {
        ledger.tookEffect("inventory", event("orders", "anna", 2));
        ledger.tookEffect("inventory", event("orders", "anna", 1));
        assertThat(ledger.soFar(0).outOfOrder()).isEqualTo(1);
    }

    @Test
    void otherCustomersConsumersAndDestinationsHaveAnOrderOfTheirOwn() {
        ledger.tookEffect("inventory", event("orders", "anna", 3));
        ledger.tookEffect("inventory", event("orders", "ben", 2));
        ledger.tookEffect("inventory", event("payments", "anna", 1));
        ledger.tookEffect("notifications", event("orders", "anna", 2));
        assertThat(ledger.soFar(0).outOfOrder()).isZero();
    }

    @Test
    void aCommitOfUnknownOutcomeIsNeitherWrittenNorRolledBack() {
        ledger.placing(1);
        ledger.undecided(1);
        ledger.failed();
        assertThat(ledger.undecided()).isEqualTo(1);
        assertThat(ledger.soFar(0)).isEqualTo(new Counts(0, 1, 0, 0, 0, 0));
    }

    private void place(long order) {
        ledger.placing(order);
        ledger.committed(order);
    }

    private static Event event(String destination, String customer, long order) {
        return Event.to(destination)
                .key(customer)
                .type("OrderPlaced")
                .json("{\"orderId\":" + order + ",\"customer\":\"" + customer + "\"}")
                .build();
    }
}
