package dev.waybill.spring.actuate;

import dev.waybill.deadletter.DeadLetters;
import dev.waybill.operations.Administration;
import dev.waybill.operations.Operations;
import dev.waybill.relay.LiveOperations;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayStatus;
import java.util.List;
import java.util.function.Supplier;

/**
 * An outbox, or the siding of the consumers, as operators see it. Thread-safe.
 *
 * @param name           what it is called in health and endpoint
 * @param administration its store
 * @param relays         those of this process that deliver from it
 */
public record WatchedOutbox(String name, Administration administration, Supplier<List<Relay>> relays) {

    /** Its operations, which wake the relays of this process after a decision. */
    Operations operations() {
        return new LiveOperations(administration.operations(), relays.get());
    }

    DeadLetters deadLetters() {
        return administration.deadLetters();
    }

    List<RelayStatus> relayStatus() {
        return relays.get().stream().map(Relay::status).toList();
    }

    void wakeUp() {
        relays.get().forEach(Relay::wakeUp);
    }
}
