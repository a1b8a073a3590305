package dev.waybill.relay;

import dev.waybill.store.Entry;
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
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
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

        /** Whether nothing of it can come up late: it can be divided, and gone on behind it. */
        boolean isDecided() {
            return scan.pages().stream()
                    .allMatch(page -> page.position() <= cursors.get(0).decided());
        }

        /** Where the portion after this one begins; null if something is to be looked at first. */
        @Nullable
        List<ScanCursor> end() {
            boolean open = isDecided() && scan.pages().stream().allMatch(page -> page.owned() && page.more());
            return open ? cursorsAt(ShardPage::position) : null;
        }

        private List<ScanCursor> cursorsAt(ToLongFunction<ShardPage> position) {
            Map<Integer, ShardPage> pages = new HashMap<>();
            scan.pages().forEach(page -> pages.put(page.lease().shard(), page));
            List<ScanCursor> moved = new ArrayList<>(cursors.size());
            for (ScanCursor cursor : cursors) {
                ShardPage page = pages.get(cursor.shard());
                moved.add(page == null ? cursor : cursor.at(Math.max(cursor.position(), position.applyAsLong(page))));
            }
            return moved;
        }

        /** The sequence up to which it has so many entries. */
        long sequenceOf(int entries) {
            return scan.pages().stream()
                    .flatMap(page -> page.entries().stream())
                    .mapToLong(Entry::sequence)
                    .sorted()
                    .skip(entries - 1L)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
        }

        /** The part up to a sequence, as if no more had been read. */
        Portion upTo(long cut) {
            Map<Integer, Long> ends = new HashMap<>();
            cursorsAt(page -> Math.min(cut, page.position()))
                    .forEach(cursor -> ends.put(cursor.shard(), cursor.position()));
            return with(cursors, page -> {
                long end = ends.getOrDefault(page.lease().shard(), cut);
                boolean more = page.more() || end < page.position();
                return page(page, entry -> entry.sequence() <= cut, end, more, page.below());
            });
        }

        /** The other part, as if it had been read from there on. */
        Portion behind(long cut) {
            return with(
                    cursorsAt(page -> Math.min(cut, page.position())),
                    page -> page(page, entry -> entry.sequence() > cut, page.position(), page.more(), List.of()));
        }

        private Portion with(List<ScanCursor> asked, UnaryOperator<ShardPage> part) {
            List<ShardPage> pages = scan.pages().stream().map(part).toList();
            return new Portion(asked, new Scan(pages, scan.writers(), scan.drawn(), scan.paused()), way, ahead);
        }

        private static ShardPage page(
                ShardPage page, Predicate<Entry> which, long position, boolean more, List<Long> below) {
            List<Entry> entries = page.entries().stream().filter(which).toList();
            return new ShardPage(page.lease(), page.owned(), entries, position, more, below);
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

    /**
     * What was read ahead, if it is of exactly these shards as they are now; the rest of it is to be taken next if it is more than
     * there is room for. Throws what the store has thrown.
     */
    @Nullable
    Portion take(List<Shard> wanted, int room) {
        CompletableFuture<@Nullable Portion> done = first;
        CompletableFuture<@Nullable Portion> behind = second;
        forget();
        Portion portion = done == null ? null : result(done);
        if (portion == null || !isFor(portion, wanted)) {
            return null;
        }
        if (portion.entries() <= room) {
            first = behind;
            return portion;
        }
        if (!portion.isDecided()) {
            return null;
        }
        long cut = portion.sequenceOf(room);
        first = CompletableFuture.completedFuture(portion.behind(cut));
        second = behind;
        return portion.upTo(cut);
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
