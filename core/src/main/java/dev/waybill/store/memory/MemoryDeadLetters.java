package dev.waybill.store.memory;

import dev.waybill.audit.AuditRecord.Action;
import dev.waybill.audit.Signature;
import dev.waybill.deadletter.Correction;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Parked;
import dev.waybill.event.Event;
import dev.waybill.store.OrderKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decisions about dead letters, each under the store's lock. Thread-safe. */
final class MemoryDeadLetters implements DeadLetters {
    private static final Comparator<Parked> LONGEST_WAITING_FIRST = Comparator.comparing(Parked::since)
            .thenComparingLong(parked -> parked.deadSequence().orElse(0))
            .thenComparing(parked -> parked.parkedKey().key().toString());

    private final Tables tables;
    private final Graveyard graveyard;

    MemoryDeadLetters(Tables tables) {
        this.tables = tables;
        this.graveyard = tables.graveyard;
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, long afterSequence, int limit) {
        synchronized (tables.lock) {
            return find(filter, afterSequence).limit(limit).toList();
        }
    }

    @Override
    public long count(DeadLetterFilter filter) {
        synchronized (tables.lock) {
            return find(filter, Long.MIN_VALUE).count();
        }
    }

    @Override
    public Optional<DeadLetter> find(long sequence) {
        synchronized (tables.lock) {
            DeadLetter letter = graveyard.find(sequence);
            return letter == null
                    ? tables.redriven.find(sequence, tables)
                    : Optional.of(tables.redriven.counted(letter));
        }
    }

    @Override
    public List<Parked> parked(int limit) {
        synchronized (tables.lock) {
            return graveyard.plots().stream()
                    .map(Plot::describe)
                    .sorted(LONGEST_WAITING_FIRST)
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public boolean release(OrderKey key, Signature signature) {
        synchronized (tables.lock) {
            DeadLetter head = graveyard.headOf(key);
            if (head == null) {
                return false;
            }
            Instant now = tables.now();
            tables.redriven.add(head, tables.maxReplays);
            graveyard.release(head, now);
            tables.leases.rewind(head.entry().shard());
            tables.audit.add(now, Action.RELEASE, key.toString(), idOf(head), signature);
            return true;
        }
    }

    @Override
    public boolean skip(OrderKey key, Signature signature) {
        synchronized (tables.lock) {
            DeadLetter head = graveyard.headOf(key);
            if (head == null) {
                return false;
            }
            Instant now = tables.now();
            graveyard.giveUp(head, DeadLetter.State.SKIPPED, now);
            tables.leases.rewind(head.entry().shard());
            tables.audit.add(now, Action.SKIP, key.toString(), idOf(head), signature);
            return true;
        }
    }

    @Override
    public boolean redrive(long sequence, Signature signature) {
        synchronized (tables.lock) {
            DeadLetter letter = undiscarded(sequence);
            if (letter == null) {
                return false;
            }
            Instant now = tables.now();
            tables.redriven.add(letter, tables.maxReplays);
            if (letter.parksKey()) {
                graveyard.release(letter, now);
            } else {
                tables.outbox.add(graveyard.exhume(letter, now));
            }
            tables.leases.rewind(letter.entry().shard());
            tables.audit.add(now, Action.REDRIVE, subject(letter), idOf(letter), signature);
            return true;
        }
    }

    @Override
    public boolean edit(long sequence, Correction correction, Signature signature) {
        synchronized (tables.lock) {
            DeadLetter letter = undiscarded(sequence);
            if (letter == null) {
                return false;
            }
            Event original = letter.entry().event();
            Event corrected = correction.of(original);
            if (corrected.equals(original)) {
                return false;
            }
            graveyard.replaceEvent(letter, corrected);
            tables.redriven.forget(sequence);
            tables.audit.add(tables.now(), Action.EDIT, subject(letter), original.id(), signature, original);
            return true;
        }
    }

    @Override
    public boolean discard(long sequence, Signature signature) {
        synchronized (tables.lock) {
            DeadLetter letter = undiscarded(sequence);
            if (letter == null) {
                return false;
            }
            Instant now = tables.now();
            graveyard.giveUp(letter, DeadLetter.State.DISCARDED, now);
            if (letter.parksKey()) {
                tables.leases.rewind(letter.entry().shard());
            }
            tables.audit.add(now, Action.DISCARD, subject(letter), idOf(letter), signature);
            return true;
        }
    }

    /** The dead, and those that were redriven and are not dead again. */
    private Stream<DeadLetter> find(DeadLetterFilter filter, long afterSequence) {
        Stream<DeadLetter> dead = graveyard.find(filter, afterSequence).map(tables.redriven::counted);
        if (filter.state() == null || filter.state().isOpen()) {
            return dead;
        }
        return Stream.concat(dead, tables.redriven.all(tables, afterSequence).filter(filter::matches))
                .sorted(Comparator.comparingLong(letter -> letter.entry().sequence()));
    }

    private @Nullable DeadLetter undiscarded(long sequence) {
        DeadLetter letter = graveyard.find(sequence);
        return letter == null || letter.state() == DeadLetter.State.DISCARDED ? null : letter;
    }

    private static UUID idOf(DeadLetter letter) {
        return letter.entry().event().id();
    }

    private static String subject(DeadLetter letter) {
        return "dead letter " + letter.entry().sequence();
    }
}
