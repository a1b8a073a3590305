package dev.waybill.server.relay;

import dev.waybill.relay.Route;
import dev.waybill.server.cli.UsageException;
import dev.waybill.transport.Transport;
import dev.waybill.transport.kafka.ExactlyOnceKafkaTransport;
import dev.waybill.transport.kafka.KafkaTransport;
import dev.waybill.transport.kafka.KafkaTransportConfig;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The routes of a relay process and the transports that they share, until closed. */
record RouteTransports(Map<String, Route> routes, Map<String, Transport> shared) implements AutoCloseable {

    static RouteTransports open(RouteOptions options, PrintStream out) {
        Map<String, Transport> shared = new HashMap<>();
        Map<String, Route> routes = new LinkedHashMap<>();
        options.transports().forEach((destination, name) -> {
            Transport transport = shared.computeIfAbsent(name, wanted -> create(wanted, options, out));
            routes.put(
                    destination,
                    Route.to(transport).withMaxPerSecond(options.rates().getOrDefault(destination, 0)));
        });
        return new RouteTransports(routes, shared);
    }

    private static Transport create(String name, RouteOptions options, PrintStream out) {
        return name.equals(RouteOptions.LOG) || options.kafka() == null
                ? new LogTransport(out)
                : kafka(options.kafka(), options.outbox());
    }

    private static Transport kafka(KafkaTransportConfig config, @Nullable String outbox) {
        try {
            return outbox == null ? KafkaTransport.create(config) : ExactlyOnceKafkaTransport.create(config, outbox);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        shared.values().forEach(Transport::close);
    }
}
