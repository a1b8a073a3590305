package dev.waybill.relay;

import dev.waybill.store.Scan;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides how far the low-water marks may rise. Owned by the relay's thread.
 *
 * <p>A transaction may draw a low sequence and commit long after higher ones were read. So a scan looks again at everything
 * between the low-water mark and the position. The position of a shard after a scan is noted together with the
 * transactions that were writing then: whoever can still bring up something below it is among those. When all of them have
 * ended, and the shard has been scanned once more after that, nothing below the noted position can come up any more.
 */
final class LateCommits {
    /** A shard's position after a scan, and those of the writers of that scan that have not ended; several shards share them. */
    private record Note(long position, Set<String> writers) {}

    private final Map<Shard, Note> notes = new HashMap<>();

    /** Takes note of a scan, after the positions of its shards were moved. */
    void scanned(Scan scan, Collection<Shard> shards) {
        for (Shard shard : shards) {
            Note note = notes.get(shard);
            if (note != null && note.writers.isEmpty()) {
                // All had ended before this scan began, so it has seen what they committed.
                shard.raiseLowWater(note.position);
                notes.remove(shard);
            }
        }
        notes.keySet().removeIf(shard -> shard.dropped);
        notes.values().forEach(note -> note.writers.retainAll(scan.writers()));
        Set<String> writers = new HashSet<>(scan.writers());
        for (Shard shard : shards) {
            notes.computeIfAbsent(shard, noted -> new Note(noted.position, writers));
        }
    }

    /** The shard is gone, or read from its beginning again: what was noted of it no longer holds. */
    void forget(Shard shard) {
        notes.remove(shard);
    }
}
