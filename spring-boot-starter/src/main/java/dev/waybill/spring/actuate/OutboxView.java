package dev.waybill.spring.actuate;

import dev.waybill.operations.Pause;
import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import dev.waybill.relay.RelayStatus;
import dev.waybill.store.Shards;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is in an outbox, as the endpoint shows it. Immutable.
 *
 * @param relays of this process
 */
record OutboxView(
        long pending,
        long deadLetters,
        long parkedKeys,
        @Nullable String oldestAge,
        int liveRelays,
        int ownedShards,
        int shards,
        List<Destination> destinations,
        List<Held> paused,
        List<RelayView> relays) {

    /** One destination; in a siding, one consumer. */
    record Destination(
            String destination,
            long pending,
            long delayed,
            long failing,
            @Nullable String oldestAge,
            long deliveredLately,
            long deadLetters,
            long waiting,
            long parkedKeys,
            boolean paused) {}

    /**
     * What somebody holds back.
     *
     * @param key {@code null}: the whole destination
     */
    record Held(String destination, @Nullable String key, String since, String by, String why) {}

    /**
     * A relay.
     *
     * @param unavailable destinations that it sends nothing to at the moment, and why
     */
    record RelayView(
            String id,
            int ownedShards,
            int inHand,
            int inFlight,
            long delivered,
            long retried,
            long deadLetters,
            long leaseLosses,
            Map<String, String> unavailable,
            @Nullable String lastError) {}

    static OutboxView of(Statistics statistics, List<Pause> pauses, List<RelayStatus> relays) {
        return new OutboxView(
                statistics.pending(),
                statistics.dead(),
                statistics.parkedKeys(),
                statistics.oldestAge().map(Words::duration).orElse(null),
                statistics.liveRelays(),
                statistics.ownedShards(),
                Shards.COUNT,
                statistics.destinations().stream().map(OutboxView::of).toList(),
                pauses.stream().map(OutboxView::of).toList(),
                relays.stream().map(OutboxView::of).toList());
    }

    private static Destination of(OfDestination one) {
        return new Destination(
                one.destination(),
                one.pending(),
                one.delayed(),
                one.failing(),
                one.oldestAge().map(Words::duration).orElse(null),
                one.delivered(),
                one.dead(),
                one.waiting(),
                one.parkedKeys(),
                one.paused());
    }

    private static Held of(Pause pause) {
        return new Held(
                pause.destination(),
                pause.key(),
                pause.since().toString(),
                pause.signature().who(),
                pause.signature().why());
    }

    private static RelayView of(RelayStatus relay) {
        return new RelayView(
                relay.relay().toString(),
                relay.ownedShards(),
                relay.inHand(),
                relay.inFlight(),
                relay.delivered(),
                relay.retried(),
                relay.deadLetters(),
                relay.leaseLosses(),
                relay.pausedDestinations(),
                relay.lastError().orElse(null));
    }
}
