package dev.waybill.store;

import java.util.List;
import java.util.Set;

/**
 * The result of scanning several shards. Entries are of one snapshot; leases, pauses and what is {@linkplain ShardPage#below below}
 * are of that one or of a later one, never of an earlier one.
 *
 * @param pages   one page for each cursor
 * @param writers transactions that may hold a sequence number which the snapshot does not show: every one that had begun to
 *                write to the outbox and had not ended when the list was read, which is <em>after</em> the snapshot was
 *                taken. The names are opaque; one that is gone does not come back.
 * @param drawn   a sequence number that was drawn before that list was read, as all lower ones were: the highest that the store
 *                can tell for little, or 0
 * @param paused  destinations that somebody holds back
 */
public record Scan(List<ShardPage> pages, Set<String> writers, long drawn, Set<String> paused) {
    public Scan {
        pages = List.copyOf(pages);
        writers = Set.copyOf(writers);
        paused = Set.copyOf(paused);
    }
}
