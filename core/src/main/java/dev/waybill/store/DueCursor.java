package dev.waybill.store;

import java.time.Instant;

/** Up to where due entries have been read, by the store's clock. */
public record DueCursor(Instant time, long sequence) {
    public static final DueCursor START = new DueCursor(Instant.EPOCH, 0);
}
