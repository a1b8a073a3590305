package dev.waybill.relay;

import dev.waybill.store.OutboxStore;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the next two portions of a backlog while the relay delivers the one before: the second begins where the first turns out
 * to end, without waiting for the relay to take that. Owned by the relay's thread; another one reads, one portion at a time, and touches
 * nothing but the store.
 *
 * <p>What was read is some milliseconds old when it is used. That is as good as new as long as nothing beyond the positions was in
 * hand when it began, nothing was to be looked at below them, and the relay has read nothing else meanwhile: then no
 * entry of it can have been delivered. Otherwise it is forgotten, which costs nothing but a read.
 */
final class ReadAhead {

    /** How a portion was read. */
    enum Way {
        SCANNED,
        /** Without a word about writers. */
        PEEKED
    }

    /**
     * What was read, and what was asked for.
     *
     * @param ahead some time ago: what was committed since is not in it
     */
    record Portion(List<ScanCursor> cursors, Scan scan, Way way, boolean ahead) {

        int entries() {
            int entries = 0;
            for (ShardPage page : scan.pages()) {
                entries += page.entries().size();
            }
            return entries;
        }

        /** Where the portion after this one begins; null if something is to be looked at first. */
        @Nullable
        List<ScanCursor> end() {
            Map<Integer, ShardPage> pages = new HashMap<>();
            scan.pages().forEach(page -> pages.put(page.lease().shard(), page));
            List<ScanCursor> next = new ArrayList<>(cursors.size());
            for (ScanCursor cursor : cursors) {
                ShardPage page = pages.get(cursor.shard());
                if (page == null || !page.owned() || !page.more() || page.position() > cursor.decided()) {
                    return null;
                }
                next.add(cursor.at(page.position()));
            }
            return next;
        }
    }

    private final UUID relay;
    private final OutboxStore store;
    private final Mailbox mailbox;
    private final Executor reader;

    /** Of these shards, as they were when it began: one that is lost and taken again is another one. */
    private List<Shard> shards = List.of();

    /** The portion to be taken next, and the one behind it: none, or being read, or read. */
    private @Nullable CompletableFuture<@Nullable Portion> first;

    private @Nullable CompletableFuture<@Nullable Portion> second;

    ReadAhead(UUID relay, OutboxStore store, Mailbox mailbox, Executor reader) {
        this.relay = relay;
        this.store = store;
        this.mailbox = mailbox;
        this.reader = reader;
    }

    /** Whether a scan of these shards may be used later. */
    static boolean isSafe(List<Shard> shards) {
        return shards.stream()
                .allMatch(shard -> shard.more && shard.lowWater == shard.position && shard.highest <= shard.position);
    }

    /** Whether a portion is read, or being read. */
    boolean hasBegun() {
        return first != null;
    }

    void begin(List<Shard> ofShards, List<ScanCursor> cursors, Way way) {
        shards = ofShards;
        first = CompletableFuture.supplyAsync(() -> read(cursors, way), reader);
        ringAfter(first);
    }

    /** Lets the portion after the first follow it. */
    void follow(Way way) {
        if (first != null && second == null) {
            second = first.thenApplyAsync(before -> readBehind(before, way), reader);
            ringAfter(second);
        }
    }

    private void ringAfter(CompletableFuture<@Nullable Portion> reading) {
        CompletableFuture<@Nullable Portion> unused = reading.whenComplete((portion, failure) -> mailbox.ring());
    }

    /** On the reader's thread. */
    private Portion read(List<ScanCursor> cursors, Way way) {
        Scan scan = way == Way.PEEKED ? store.peek(relay, cursors) : store.scan(relay, cursors);
        return new Portion(cursors, scan, way, true);
    }

    /** On the reader's thread. */
    private @Nullable Portion readBehind(@Nullable Portion before, Way way) {
        List<ScanCursor> cursors = before == null ? null : before.end();
        return cursors == null ? null : read(cursors, way);
    }

    /** Reads a portion at once. */
    Portion now(List<ScanCursor> cursors, Way way) {
        Portion read = read(cursors, way);
        return new Portion(read.cursors, read.scan, way, false);
    }

    /** Whether the next portion is being read: it rings when it is there. */
    boolean isReading() {
        return first != null && !first.isDone();
    }

    /** How many entries were read ahead and are to be taken next. */
    int entries() {
        Portion portion = first == null || first.isCompletedExceptionally() ? null : result(first);
        return portion == null ? 0 : portion.entries();
    }

    /** What was read ahead, if it is of exactly these shards as they are now. Throws what the store has thrown. */
    @Nullable
    Portion take(List<Shard> wanted) {
        CompletableFuture<@Nullable Portion> done = first;
        CompletableFuture<@Nullable Portion> behind = second;
        forget();
        Portion portion = done == null ? null : result(done);
        if (portion == null || !isFor(portion, wanted)) {
            return null;
        }
        first = behind;
        return portion;
    }

    /** Whether those shards, and no others, would now be read from the same positions for the same destinations. */
    private boolean isFor(Portion portion, List<Shard> wanted) {
        Map<Integer, Shard> byNumber = new HashMap<>();
        wanted.forEach(shard -> byNumber.put(shard.number(), shard));
        return shards.equals(wanted)
                && portion.cursors.stream().allMatch(cursor -> isAt(byNumber.get(cursor.shard()), cursor));
    }

    private static boolean isAt(@Nullable Shard shard, ScanCursor cursor) {
        return shard != null
                && !shard.dropped
                && shard.position == cursor.position()
                && shard.lanes.keySet().equals(cursor.skipped());
    }

    private static @Nullable Portion result(CompletableFuture<@Nullable Portion> read) {
        try {
            return read.getNow(null);
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException exception ? exception : e;
        }
    }

    /** What is being read is read to its end, by a thread that nobody waits for. */
    void forget() {
        first = null;
        second = null;
    }
}
