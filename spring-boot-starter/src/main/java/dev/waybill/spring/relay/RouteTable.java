package dev.waybill.spring.relay;

import dev.waybill.relay.Relay;
import dev.waybill.relay.Route;
import dev.waybill.spring.RouteCustomizer;
import dev.waybill.transport.SizeLimited;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The route of every destination, after the settings and the customizers. Thread-safe. */
public final class RouteTable {
    private static final String OTHERWISE = "";

    private final Transports transports;
    private final String usualTransport;
    private final int handlerLimit;
    private final RouteSettings otherwise;
    private final Map<String, RouteSettings> named;
    private final List<RouteCustomizer> customizers;
    private final Map<String, Integer> limits = new ConcurrentHashMap<>();

    /**
     * The routes of an application.
     *
     * @param usualTransport what carries the events of destinations that name no transport; empty: Kafka if it is there
     * @param handlerLimit   most deliveries that wait for a thread of a handler or have one, for each destination
     * @param otherwise      what holds for destinations without settings
     * @param named          what holds for some
     */
    public RouteTable(
            Transports transports,
            String usualTransport,
            int handlerLimit,
            RouteSettings otherwise,
            Map<String, RouteSettings> named,
            List<RouteCustomizer> customizers) {
        this.transports = transports;
        this.usualTransport = usualTransport;
        this.handlerLimit = handlerLimit;
        this.otherwise = otherwise;
        this.named = new TreeMap<>(named);
        this.customizers = List.copyOf(customizers);
    }

    /** The route of a destination. */
    public Route of(String destination) {
        RouteSettings settings = named.getOrDefault(destination, otherwise);
        String key = keyOf(destination);
        String transport = transportName(settings);
        Route route = Route.to(transports.named(transport, settingOf(key, settings)))
                .withMaxInFlight(transport.equals(Transports.IN_PROCESS) ? handlerLimit : 0)
                .withRetry(settings.retry())
                .withDeadLetters(settings.deadLetters())
                .withMaxPerSecond(settings.maxPerSecond())
                .withPriority(settings.priority())
                .withPaused(settings.paused());
        for (RouteCustomizer customizer : customizers) {
            route = customizer.customize(key, route);
        }
        return route;
    }

    /**
     * The largest payload, in bytes, that the route of a destination carries; {@link Integer#MAX_VALUE}: any, or nobody knows.
     *
     * <p>Known once this application has relays: no transport is made for this question.
     */
    public int maxPayloadBytes(String destination) {
        return limits.getOrDefault(keyOf(destination), Integer.MAX_VALUE);
    }

    /** The name of the transport that carries the events of a destination, whatever customizers make of it; empty: of any other. */
    public String transportOf(String destination) {
        return transportName(named.getOrDefault(destination, otherwise));
    }

    void addTo(Relay.Builder builder) {
        named.keySet().forEach(destination -> builder.route(destination, noted(destination)));
        builder.otherwise(noted(OTHERWISE));
    }

    /** The route of a destination, and how much it carries. */
    private Route noted(String destination) {
        Route route = of(destination);
        if (route.transport() instanceof SizeLimited limited) {
            limits.put(destination, limited.maxPayloadBytes());
        }
        return route;
    }

    private String keyOf(String destination) {
        return named.containsKey(destination) ? destination : OTHERWISE;
    }

    private String transportName(RouteSettings settings) {
        if (!settings.transport().isEmpty()) {
            return settings.transport();
        }
        if (!usualTransport.isEmpty()) {
            return usualTransport;
        }
        return transports.names().contains(Transports.KAFKA) ? Transports.KAFKA : Transports.IN_PROCESS;
    }

    private static String settingOf(String destination, RouteSettings settings) {
        return settings.transport().isEmpty()
                ? "waybill.outbox.transport"
                : "waybill.destinations." + destination + ".transport";
    }
}
