package dev.waybill.store;

/**
 * A stretch of a key: its entries with sequences from {@code from} to {@code to}, both included.
 *
 * <p>A relay knows between which marks something of a key is left, so that a store need not know each key's entries.
 */
public record KeyCursor(OrderKey key, long from, long to) {

    /** All entries of a key. */
    public static KeyCursor all(OrderKey key) {
        return new KeyCursor(key, 0, Long.MAX_VALUE);
    }

    /** The same stretch, or the part of it that does not go beyond a sequence. */
    public KeyCursor upTo(long sequence) {
        return sequence < to ? new KeyCursor(key, from, sequence) : this;
    }
}
