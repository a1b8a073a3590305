package dev.waybill.relay;

import dev.waybill.store.Entry;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
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
            long decided = cursors.get(0).decided();
            for (ShardPage page : scan.pages()) {
                if (page.position() > decided) {
                    return false;
                }
            }
            return true;
        }

        /** Where the portion after this one begins; null if something is to be looked at first, or others are to have their turn. */
        @Nullable
        List<ScanCursor> end() {
            boolean open = isDecided()
                    && cursors.stream().allMatch(cursor -> cursor.limit() > 0)
                    && scan.pages().stream().allMatch(page -> page.owned() && page.more());
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

        /** The sequence up to which it has so many entries, of those that it has. */
        long sequenceOf(int entries) {
            long[] sequences = new long[entries()];
            int found = 0;
            for (ShardPage page : scan.pages()) {
                for (Entry entry : page.entries()) {
                    sequences[found++] = entry.sequence();
                }
            }
            Arrays.sort(sequences);
            return sequences[entries - 1];
        }

        /** The part up to a sequence, as if no more had been read. */
        Portion upTo(long cut) {
            Map<Integer, Long> begins = new HashMap<>();
            cursors.forEach(cursor -> begins.put(cursor.shard(), cursor.position()));
            return with(cursors, page -> {
                long end = Math.max(begins.getOrDefault(page.lease().shard(), 0L), Math.min(cut, page.position()));
                boolean more = page.more() || end < page.position();
                List<Entry> taken = page.entries().subList(0, countUpTo(cut, page.entries()));
                return new ShardPage(page.lease(), page.owned(), taken, end, more, page.below());
            });
        }

        /** The other part, as if it had been read from there on. */
        Portion behind(long cut) {
            return with(cursorsAt(page -> Math.min(cut, page.position())), page -> {
                List<Entry> all = page.entries();
                List<Entry> left = all.subList(countUpTo(cut, all), all.size());
                return new ShardPage(page.lease(), page.owned(), left, page.position(), page.more(), List.of());
            });
        }

        private Portion with(List<ScanCursor> asked, UnaryOperator<ShardPage> part) {
            List<ShardPage> pages = new ArrayList<>(scan.pages().size());
            for (ShardPage page : scan.pages()) {
                pages.add(part.apply(page));
            }
            return new Portion(asked, new Scan(pages, scan.writers(), scan.drawn(), scan.paused()), way, ahead);
        }

        /** Entries of a page are in the order of their sequences. */
        private static int countUpTo(long cut, List<Entry> entries) {
            int count = 0;
            while (count < entries.size() && entries.get(count).sequence() <= cut) {
                count++;
            }
            return count;
        }
    }

    /** What is read one after the other, of these shards as they were when it began. */
    private static final class Chain {
        final List<Shard> shards;
        final List<ScanCursor> cursors;
        volatile boolean forgotten;

        Chain(List<Shard> shards, List<ScanCursor> cursors) {
            this.shards = shards;
            this.cursors = cursors;
        }

        /** Whether those shards, and no others, would be read for the same destinations. */
        boolean isOf(List<Shard> wanted) {
            // One that is lost and taken again is another one.
            return shards.equals(wanted) && isFor(cursors, wanted, false);
        }

        static boolean isFor(List<ScanCursor> cursors, List<Shard> wanted, boolean there) {
            Map<Integer, Shard> byNumber = new HashMap<>();
            wanted.forEach(shard -> byNumber.put(shard.number(), shard));
            return cursors.stream().allMatch(cursor -> isAt(byNumber.get(cursor.shard()), cursor, there));
        }

        private static boolean isAt(@Nullable Shard shard, ScanCursor cursor, boolean there) {
            return shard != null
                    && !shard.dropped
                    && (!there || shard.position == cursor.position())
                    && shard.lanes.keySet().equals(cursor.skipped());
        }
    }

    private final UUID relay;
    private final OutboxStore store;
    private final Mailbox mailbox;
    private final Executor reader;

    private @Nullable Chain chain;

    /** The portion to be taken next, and the one behind it: none, or being read, or read. */
    private @Nullable CompletableFuture<@Nullable Portion> first;

    private @Nullable CompletableFuture<@Nullable Portion> second;

    /** Done when nothing is being read, also of what was forgotten. */
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

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

    /** Whether a portion is read, or being read, that is still wanted. */
    boolean hasBegun(List<Shard> wanted) {
        return first != null && chain != null && chain.isOf(wanted);
    }

    void begin(List<Shard> shards, List<ScanCursor> cursors, Way way) {
        forget();
        Chain begun = new Chain(shards, cursors);
        chain = begun;
        first = then(last, before -> begun.forgotten ? null : read(cursors, way, true));
    }

    boolean hasFollower() {
        return second != null;
    }

    /** Lets another portion follow the first; what is decided now is so when it begins. */
    void follow(Way way, long decided) {
        Chain followed = chain;
        if (first != null && second == null && followed != null) {
            second = then(first, before -> {
                List<ScanCursor> cursors = before == null || followed.forgotten ? null : before.end();
                return cursors == null
                        ? null
                        : read(
                                cursors.stream()
                                        .map(cursor -> cursor.with(decided))
                                        .toList(),
                                way,
                                true);
            });
        }
    }

    /** One at a time, so that there is always a thread left for what is to be written. */
    private <T> CompletableFuture<@Nullable Portion> then(
            CompletableFuture<T> before, Function<T, @Nullable Portion> reading) {
        CompletableFuture<@Nullable Portion> read = before.thenApplyAsync(reading, reader);
        last = read.handle((portion, failure) -> {
            mailbox.ring();
            return true;
        });
        return read;
    }

    private Portion read(List<ScanCursor> cursors, Way way, boolean ahead) {
        Scan scan = way == Way.PEEKED ? store.peek(relay, cursors) : store.scan(relay, cursors);
        return new Portion(cursors, scan, way, ahead);
    }

    /** Reads a portion at once. */
    Portion now(List<ScanCursor> cursors, Way way) {
        return read(cursors, way, false);
    }

    /** Whether the next portion is being read: it rings when it is there. */
    boolean isReading() {
        return first != null && !first.isDone();
    }

    /** Whether a portion is there that has no more entries than that. */
    boolean fits(int room) {
        Portion portion = first == null || first.isCompletedExceptionally() ? null : result(first);
        return portion != null && portion.entries() <= room;
    }

    /**
     * What was read ahead, if it is of exactly these shards as they are now; the rest of it is to be taken next if it is more than
     * there is room for. Throws what the store has thrown.
     */
    @Nullable
    Portion take(List<Shard> wanted, int room) {
        CompletableFuture<@Nullable Portion> done = first;
        CompletableFuture<@Nullable Portion> behind = second;
        Chain taken = chain;
        chain = null;
        first = null;
        second = null;
        Portion portion = done == null || taken == null || !taken.isOf(wanted) ? null : result(done);
        if (portion == null || !Chain.isFor(portion.cursors, wanted, true)) {
            forget(taken);
            return null;
        }
        if (portion.entries() > room && !portion.isDecided()) {
            forget(taken);
            return null;
        }
        chain = taken;
        if (portion.entries() > room) {
            long cut = portion.sequenceOf(room);
            first = CompletableFuture.completedFuture(portion.behind(cut));
            second = behind;
            return portion.upTo(cut);
        }
        first = portion.end() == null ? null : behind;
        return portion;
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

    /** What is being read is read to its end, and nothing behind it. */
    void forget() {
        forget(chain);
        chain = null;
        first = null;
        second = null;
    }

    private static void forget(@Nullable Chain left) {
        if (left != null) {
            left.forgotten = true;
        }
    }
}
