package dev.waybill.testkit.spring;

import dev.waybill.operations.Administration;
import dev.waybill.relay.Relay;
import dev.waybill.spring.inbox.Consumers;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.spring.relay.Relays;
import dev.waybill.spring.relay.RouteTable;
import dev.waybill.testkit.outbox.Drain;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of {@link WaybillTest}, for tests that make their context themselves. */
@Configuration(proxyBeanMethods = false)
@Import(LastCustomizer.class)
public class WaybillTestConfiguration {

    /** Static, because it is made before the beans that it changes. */
    @Bean
    static OutboxRecorder waybillOutboxRecorder() {
        return new OutboxRecorder();
    }

    @Bean
    Faults waybillFaults() {
        return new Faults();
    }

    @Bean
    Drain waybillDrain(
            ObjectProvider<OutboxUnit> units,
            ObjectProvider<Relays> relays,
            ObjectProvider<Consumers> consumers,
            ObjectProvider<RouteTable> routes) {
        return new Drain(
                () -> stores(units, consumers),
                () -> wakeUp(relays, consumers),
                destination ->
                        routes.stream().anyMatch(table -> table.of(destination).paused()));
    }

    private static Map<String, Administration> stores(
            ObjectProvider<OutboxUnit> units, ObjectProvider<Consumers> consumers) {
        Map<String, Administration> stores = new LinkedHashMap<>();
        units.stream().forEach(unit -> stores.put("outbox of " + unit.name(), unit.store()));
        consumers.stream()
                .flatMap(all -> all.siding().stream())
                .forEach(siding -> stores.put("put aside by consumers", siding));
        return stores;
    }

    private static void wakeUp(ObjectProvider<Relays> relays, ObjectProvider<Consumers> consumers) {
        relays.stream().flatMap(all -> all.relays().stream()).forEach(Relay::wakeUp);
        consumers.stream().flatMap(all -> all.sidingRelay().stream()).forEach(Relay::wakeUp);
    }
}
