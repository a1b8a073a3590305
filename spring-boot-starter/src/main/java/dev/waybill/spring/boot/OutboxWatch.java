package dev.waybill.spring.boot;

import dev.waybill.spring.actuate.WatchedOutbox;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Relays;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;

/** All that operators look at: the outbox of each data source, by its bean name, and the siding of the consumers. */
record OutboxWatch(ObjectProvider<OutboxUnit> units, ObjectProvider<Relays> relays, ObjectProvider<Consumers> consumers)
        implements Supplier<List<WatchedOutbox>> {
    private static final String SIDING = "siding";

    @Override
    public List<WatchedOutbox> get() {
        List<WatchedOutbox> watched = new ArrayList<>();
        units.orderedStream()
                .forEach(unit -> watched.add(new WatchedOutbox(
                        unit.name(),
                        unit.store(),
                        () -> relays.stream()
                                .flatMap(all -> all.relay(unit).stream())
                                .toList())));
        consumers.stream()
                .forEach(all -> all.siding()
                        .ifPresent(siding -> watched.add(new WatchedOutbox(
                                SIDING, siding, () -> all.sidingRelay().stream().toList()))));
        return watched;
    }
}
