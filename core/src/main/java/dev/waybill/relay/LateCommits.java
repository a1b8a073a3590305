package dev.waybill.relay;

import dev.waybill.store.Scan;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides how far the low-water marks may rise. Owned by the relay's thread.
 *
 * <p>A transaction may draw a low sequence and commit long after higher ones were read. So a scan looks again at everything
 * between the low-water mark and the position. The positions of one scan are noted together with the transactions that
 * were writing then: whoever can still bring up something below them is among those. When all of them have ended,
 * and one more scan has been done after that, nothing below the noted positions can come up any more.
 */
final class LateCommits {
    private final Map<Shard, Long> positions = new HashMap<>();
    private @Nullable Set<String> writers;

    /** Takes note of a scan, after the positions of its shards were moved. */
    void scanned(Scan scan, Collection<Shard> shards) {
        if (writers != null && writers.isEmpty()) {
            // All had ended before this scan began, so it has seen what they committed.
            positions.forEach((shard, position) -> shard.raiseLowWater(position));
            writers = null;
        }
        if (writers == null) {
            writers = new HashSet<>(scan.writers());
            positions.clear();
            shards.forEach(shard -> positions.put(shard, shard.position));
        } else {
            writers.retainAll(scan.writers());
        }
    }

    /** The shard is gone, or read from its beginning again: what was noted of it no longer holds. */
    void forget(Shard shard) {
        positions.remove(shard);
    }
}
