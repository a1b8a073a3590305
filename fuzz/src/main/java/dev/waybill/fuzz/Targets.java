package dev.waybill.fuzz;

import dev.waybill.event.EventTarget;
import dev.waybill.event.EventTypesTarget;
import dev.waybill.relay.RelayConfigTarget;
import dev.waybill.resilience.ResilienceTarget;
import dev.waybill.server.CommandLineTarget;
import dev.waybill.server.ops.ScreenTarget;
import dev.waybill.spring.boot.JsonTarget;
import dev.waybill.spring.boot.SettingsTarget;
import dev.waybill.store.jdbc.StoreConfigTarget;
import dev.waybill.store.jdbc.StoredRowTarget;
import dev.waybill.transport.kafka.KafkaConfigTarget;
import dev.waybill.transport.kafka.KafkaRecordTarget;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** All targets by name. */
final class Targets {
    private static final Map<String, Supplier<FuzzTarget>> ALL = new TreeMap<>(Map.ofEntries(
            Map.entry("command-line", CommandLineTarget::new),
            Map.entry("event", EventTarget::new),
            Map.entry("event-types", EventTypesTarget::new),
            Map.entry("filter", FilterTarget::new),
            Map.entry("json", JsonTarget::new),
            Map.entry("kafka-config", KafkaConfigTarget::new),
            Map.entry("kafka-record", KafkaRecordTarget::new),
            Map.entry("relay", RelayTarget::new),
            Map.entry("relay-config", RelayConfigTarget::new),
            Map.entry("resilience", ResilienceTarget::new),
            Map.entry("screen", ScreenTarget::new),
            Map.entry("settings", SettingsTarget::new),
            Map.entry("store-config", StoreConfigTarget::new),
            Map.entry("stored-row", StoredRowTarget::new)));

    private Targets() {}

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    static FuzzTarget create(String name) {
        if (name.equals(SelfTest.NAME)) {
            return new SelfTest();
        }
        Supplier<FuzzTarget> target = ALL.get(name);
        if (target == null) {
            throw new IllegalArgumentException("There is no target " + name + "; there are " + names() + ".");
        }
        return target.get();
    }
}
