package dev.waybill.store.memory;

import dev.waybill.operations.Pause;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/** All that a store holds. Everything here is guarded by {@link #lock}. */
final class Tables {
    final Object lock = new Object();
    final Duration retention;
    final OutboxTable outbox = new OutboxTable();
    final Graveyard graveyard = new Graveyard();
    final LeaseTable leases = new LeaseTable();
    final History history = new History();
    final ReplayTable replays = new ReplayTable();
    final Map<String, Pause> pausedDestinations = new TreeMap<>();
    final AuditLog audit = new AuditLog();

    private final InstantSource clock;

    Tables(InstantSource clock, Duration retention) {
        if (retention.isNegative()) {
            throw new IllegalArgumentException("The retention is " + retention + "; use zero to keep nothing.");
        }
        this.clock = clock;
        this.retention = retention;
    }

    Instant now() {
        return clock.instant();
    }
}
