package dev.waybill.relay;

import dev.waybill.store.Scan;
import dev.waybill.store.ShardPage;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides how far the low-water marks may rise. Owned by the relay's thread.
 *
 * <p>A transaction may draw a low sequence and commit long after higher ones were read. So a scan looks again at everything
 * between the low-water mark and the position. A sequence that was drawn by the time of a scan is noted together with the
 * transactions that were writing then: whoever can still bring up something below it is among those. When all of them have
 * ended, every sequence up to the noted one is decided: a scan that begins after that shows it, or it will never come up. In
 * a backlog that is far beyond what has been read, and nothing has to be looked at twice.
 */
final class LateCommits {
    /** A sequence that was drawn before a scan, and those of the writers of that scan that have not ended. */
    private record Note(long drawn, Set<String> writers) {}

    /** Every sequence up to this one was decided before the next scan begins. */
    private long decided;

    private @Nullable Note note;

    /** Every sequence up to this one is shown by a scan that begins now, or will never come up. */
    long decided() {
        return decided;
    }

    /** Takes note of a scan, after the positions of its shards were moved. */
    void scanned(Scan scan, Collection<Shard> shards) {
        peeked(shards);
        if (note != null) {
            note.writers.retainAll(scan.writers());
            conclude(note);
        }
        if (note == null) {
            note = new Note(drawn(scan), new HashSet<>(scan.writers()));
            conclude(note);
        }
    }

    /** The same for a scan that says nothing about writers. */
    void peeked(Collection<Shard> shards) {
        for (Shard shard : shards) {
            long mark = Math.min(shard.position, decided);
            if (mark > shard.lowWater) {
                shard.raiseLowWater(mark);
            }
        }
    }

    private void conclude(Note written) {
        if (written.writers.isEmpty()) {
            decided = Math.max(decided, written.drawn);
            note = null;
        }
    }

    /** What a scan shows was drawn before it. */
    private static long drawn(Scan scan) {
        long drawn = scan.drawn();
        for (ShardPage page : scan.pages()) {
            drawn = Math.max(drawn, page.position());
        }
        return drawn;
    }

    /** Sequences may have been set back, by a failover to a standby that was behind: what is known of them no longer holds. */
    void reset() {
        decided = 0;
        note = null;
    }
}
