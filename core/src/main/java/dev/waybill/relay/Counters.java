package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/** Figures for the relay's status. Owned by the relay's thread. */
final class Counters {
    long delivered;
    long retried;
    long deadLetters;
    long leaseLosses;

    @Nullable
    String lastError;
}
