package dev.waybill.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Delayed and retried entries that have become due.
 *
 * @param entries by the time they became due
 * @param next    where to go on
 * @param more    whether the read stopped at its limit
 * @param nextIn  how long until the next entry becomes due, if there is one
 */
public record DuePage(List<Entry> entries, DueCursor next, boolean more, Optional<Duration> nextIn) {
    public DuePage {
        entries = List.copyOf(entries);
    }
}
