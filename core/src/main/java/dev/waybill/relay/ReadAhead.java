package dev.waybill.relay;

import dev.waybill.store.OutboxStore;
import dev.waybill.store.Scan;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.ShardPage;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the next portion of a backlog while the relay delivers the one before. Owned by the relay's thread; another one reads, and
 * touches nothing but the store.
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
            return ReadAhead.entries(scan);
        }
    }

    /** One read. The other thread writes the last two fields. */
    private static final class Task {
        final List<Shard> shards;
        final List<ScanCursor> cursors;
        final Way way;
        volatile @Nullable Scan scan;
        volatile @Nullable Throwable failure;

        Task(List<Shard> shards, List<ScanCursor> cursors, Way way) {
            this.shards = shards;
            this.cursors = cursors;
            this.way = way;
        }

        boolean isDone() {
            return scan != null || failure != null;
        }

        /** Whether those shards, and no others, would now be read from the same positions for the same destinations. */
        boolean isFor(List<Shard> wanted) {
            return shards.size() == wanted.size()
                    && shards.containsAll(wanted)
                    && cursors.stream().allMatch(this::holds);
        }

        private boolean holds(ScanCursor cursor) {
            return shards.stream()
                    .anyMatch(shard -> shard.number() == cursor.shard()
                            && !shard.dropped
                            && shard.position == cursor.position()
                            && shard.lanes.keySet().equals(cursor.skipped()));
        }
    }

    private final UUID relay;
    private final OutboxStore store;
    private final Mailbox mailbox;
    private final Executor reader;
    private @Nullable Task task;

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

    void begin(List<Shard> shards, List<ScanCursor> cursors, Way way) {
        Task begun = new Task(shards, cursors, way);
        task = begun;
        reader.execute(() -> read(begun));
    }

    /** On the reader's thread. */
    private void read(Task begun) {
        try {
            begun.scan = read(begun.cursors, begun.way);
        } catch (RuntimeException | Error e) {
            begun.failure = e;
        }
        mailbox.ring();
    }

    private Scan read(List<ScanCursor> cursors, Way way) {
        return way == Way.PEEKED ? store.peek(relay, cursors) : store.scan(relay, cursors);
    }

    /** Reads a portion at once. */
    Portion now(List<ScanCursor> cursors, Way way) {
        return new Portion(cursors, read(cursors, way), way, false);
    }

    /** Whether a portion is being read: it rings when it is there. */
    boolean isReading() {
        return task != null && !task.isDone();
    }

    /** How many entries were read ahead and not yet taken. */
    int entries() {
        Scan scan = task == null ? null : task.scan;
        return scan == null ? 0 : entries(scan);
    }

    private static int entries(Scan scan) {
        int entries = 0;
        for (ShardPage page : scan.pages()) {
            entries += page.entries().size();
        }
        return entries;
    }

    /** What was read ahead, if it is of exactly these shards as they are now. Throws what the store has thrown. */
    @Nullable
    Portion take(List<Shard> shards) {
        Task done = task;
        task = null;
        if (done == null || !done.isFor(shards)) {
            return null;
        }
        Throwable failure = done.failure;
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        Scan scan = done.scan;
        return scan == null ? null : new Portion(done.cursors, scan, done.way, true);
    }

    void forget() {
        task = null;
    }
}
