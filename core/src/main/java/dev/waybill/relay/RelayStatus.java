package dev.waybill.relay;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a relay was doing when its last step ended. Immutable.
 *
 * @param ownedShards        shards that it owns
 * @param inHand             entries that it has read and not yet settled
 * @param inFlight           of these, sent and not yet answered
 * @param delivered          entries settled as delivered since the start
 * @param retried            failed deliveries that will be tried again, since the start
 * @param deadLetters        entries given up since the start
 * @param leaseLosses        shards lost to another relay, or to a store that was out of reach, since the start
 * @param pausedDestinations destinations that get nothing at the moment, and why
 * @param lastError          the latest error of a delivery or of the store
 */
public record RelayStatus(
        UUID relay,
        int ownedShards,
        int inHand,
        int inFlight,
        long delivered,
        long retried,
        long deadLetters,
        long leaseLosses,
        Map<String, String> pausedDestinations,
        Optional<String> lastError) {
    /** Why a destination gets nothing that {@link Route#paused()} holds back: by decision, and not because it is down. */
    public static final String PAUSED_BY_ROUTE = "paused by its route";

    public RelayStatus {
        pausedDestinations = Map.copyOf(pausedDestinations);
    }
}
