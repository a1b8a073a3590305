package dev.waybill.store;

import java.util.List;

/**
 * What a relay owns after a renewal.
 *
 * @param liveRelays how many relays announced themselves within their lease, this one included
 * @param leases     the shards that this relay owns, all renewed
 */
public record Ownership(int liveRelays, List<Lease> leases) {
    public Ownership {
        leases = List.copyOf(leases);
    }
}
