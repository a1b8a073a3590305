package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.demo.Snapshot.RelayState;
import dev.waybill.relay.RelayStatus;
import dev.waybill.spring.relay.Relays;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The relays of all services that publish; each may be killed and replaced. Looking is thread-safe, starting and killing is for
 * one thread at a time.
 */
final class Fleet implements AutoCloseable {
    private final List<RelaySlot> slots = new ArrayList<>();

    /** So many for each service; the first is running already. */
    Fleet(List<Service> services, int relaysOfEach) {
        for (Service service : services) {
            if (service.bean(Relays.class).isAutoStartup()) {
                for (int number = 1; number <= relaysOfEach; number++) {
                    slots.add(new RelaySlot(service, number));
                }
            }
        }
    }

    void startAll() {
        slots.forEach(RelaySlot::start);
    }

    int size() {
        return slots.size();
    }

    RelaySlot slot(int index) {
        return slots.get(index);
    }

    /** The place of a relay that was killed and not replaced. */
    Optional<RelaySlot> missing() {
        return slots.stream().filter(slot -> slot.relay().isEmpty()).findFirst();
    }

    List<RelayState> states() {
        return slots.stream()
                .map(slot -> new RelayState(
                        slot.name(),
                        slot.relay().isPresent(),
                        slot.relay().map(relay -> relay.status().ownedShards()).orElse(0)))
                .toList();
    }

    /** What the live relays say about themselves. */
    List<RelayStatus> statuses() {
        return slots.stream()
                .flatMap(slot -> slot.relay().stream())
                .map(relay -> relay.status())
                .toList();
    }

    @Override
    public void close() {
        slots.forEach(RelaySlot::close);
    }
}
