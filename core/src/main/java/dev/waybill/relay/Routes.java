package dev.waybill.relay;

import dev.waybill.transport.LedgerTransport;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which route each destination has. Immutable and thread-safe.
 *
 * <p>All relays of an outbox need the same routes. Entries for a destination without a route wait, with one
 * warning, until a relay knows it.
 */
public final class Routes {
    private final Map<String, Route> byDestination;
    private final @Nullable Route otherwise;
    private final IntSummaryStatistics priorities;

    private Routes(Builder builder) {
        byDestination = Map.copyOf(builder.byDestination);
        otherwise = builder.otherwise;
        priorities = Stream.concat(byDestination.values().stream(), Stream.ofNullable(otherwise))
                .filter(route -> !route.paused())
                .mapToInt(Route::priority)
                .summaryStatistics();
    }

    public static Builder builder() {
        return new Builder();
    }

    Optional<Route> find(String destination) {
        return Optional.ofNullable(byDestination.getOrDefault(destination, otherwise));
    }

    /** Destinations that get nothing, as far as they have routes of their own. */
    List<String> paused() {
        return byDestination.entrySet().stream()
                .filter(route -> route.getValue().paused())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The transports that keep a ledger, each once. */
    List<LedgerTransport> ledgers() {
        return Stream.concat(byDestination.values().stream(), Stream.ofNullable(otherwise))
                .map(Route::transport)
                .distinct()
                .filter(LedgerTransport.class::isInstance)
                .map(LedgerTransport.class::cast)
                .toList();
    }

    /** Of the routes that are not paused. */
    int highestPriority() {
        return priorities.getMax();
    }

    /** Whether some routes go before others. */
    boolean havePriorities() {
        return priorities.getMin() < priorities.getMax();
    }

    /** Collects routes; not thread-safe. */
    public static final class Builder {
        private final Map<String, Route> byDestination = new LinkedHashMap<>();
        private @Nullable Route otherwise;

        private Builder() {}

        public Builder route(String destination, Route route) {
            if (byDestination.putIfAbsent(destination, route) != null) {
                throw new IllegalArgumentException("Destination " + destination + " has a route already.");
            }
            return this;
        }

        /** The route of every destination that has none of its own. */
        public Builder otherwise(Route route) {
            otherwise = route;
            return this;
        }

        public Routes build() {
            return new Routes(this);
        }
    }
}
