package dev.waybill.relay;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;

/** Gauges over a relay's status; tagged, because one process may run several relays. */
final class RelayMeters {
    private static final int SHORT = 8;

    private RelayMeters() {}

    /** To be removed from the registry when the relay ends: figures of a relay that is gone would mislead. */
    static List<Meter> bind(RelayAgent agent, MeterRegistry registry) {
        Tags tags = Tags.of("relay", agent.id().toString().substring(0, SHORT));
        return List.of(
                Gauge.builder("outbox.shards.owned", agent, one -> one.status().ownedShards())
                        .description("Shards that the relay owns, of 64")
                        .tags(tags)
                        .register(registry),
                Gauge.builder("outbox.window.used", agent, one -> one.status().inHand())
                        .description("Entries that the relay has read and not yet settled")
                        .tags(tags)
                        .register(registry),
                Gauge.builder(
                                "outbox.destinations.unavailable",
                                agent,
                                one -> one.status().pausedDestinations().size())
                        .description("Destinations that the relay sends nothing to at the moment, for whatever reason")
                        .tags(tags)
                        .register(registry),
                FunctionCounter.builder(
                                "outbox.leases.lost", agent, one -> one.status().leaseLosses())
                        .description("Shards lost to another relay, or to a store that was out of reach")
                        .tags(tags)
                        .register(registry));
    }
}
