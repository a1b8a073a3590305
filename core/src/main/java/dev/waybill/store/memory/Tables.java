package dev.waybill.store.memory;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.operations.Pause;
import dev.waybill.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All that a store holds. Everything here is guarded by {@link #lock}. */
final class Tables {
    final Object lock = new Object();
    final Duration retention;
    final Duration inboxRetention;
    final OutboxTable outbox = new OutboxTable();
    final Graveyard graveyard = new Graveyard();
    final LeaseTable leases = new LeaseTable();
    final History history = new History();
    final ReplayTable replays = new ReplayTable();
    final Map<String, Pause> pausedDestinations = new TreeMap<>();
    final AuditLog audit = new AuditLog();
    final InboxTable inbox = new InboxTable();
    final RedrivenTable redriven = new RedrivenTable();

    final int maxReplays;

    private final InstantSource clock;

    Tables(InstantSource clock, MemoryStoreSettings settings) {
        this.clock = clock;
        this.retention = settings.retention();
        this.inboxRetention = settings.inboxRetention();
        this.maxReplays = settings.maxReplays();
    }

    /** What waits for a destination or is an open dead letter of it, beyond a sequence. */
    Stream<Entry> stored(String destination, long afterSequence) {
        Instant now = now();
        Stream<Row> waiting = graveyard.plots().stream().flatMap(plot -> plot.waiting.values().stream());
        Stream<Entry> rows = Stream.concat(outbox.rows(), waiting).map(row -> row.read(now));
        Stream<Entry> dead =
                graveyard.find(DeadLetterFilter.all(), afterSequence).map(DeadLetter::entry);
        return Stream.concat(rows, dead)
                .filter(entry -> entry.destination().equals(destination) && entry.sequence() > afterSequence)
                .sorted(Comparator.comparingLong(Entry::sequence));
    }

    Instant now() {
        return clock.instant();
    }
}
