package dev.waybill.relay;

/**
 * How much a relay may have in hand, and who may have how much of it. Owned by the relay's thread.
 *
 * <p>It counts in units: a parcel takes one, and more if its payload is large.
 */
final class Window {
    /** A key with many entries must not fill the window; what is beyond is read by key later. */
    private static final int MAX_QUEUED = 128;

    /** The part of the window that one key may take, by the usual size of payloads. */
    private static final int KEY_SHARE = 8;

    /** A destination may take up to this multiple of what is left of the window, so that some is always left. */
    private static final int SHARE = 3;

    /** The part of window and batch that a destination keeps while others go first; 16 is the smallest window. */
    private static final int REMAINDER = 16;

    private final int capacity;
    private final long bytesPerUnit;
    private final int remainder;
    private int units;
    private double usualBytes = 1024;
    private int keyLimit = 1;

    Window(RelayConfig config) {
        capacity = config.window();
        bytesPerUnit = Math.max(1, config.windowBytes() / config.window());
        remainder = Math.max(1, Math.min(config.window(), config.batchSize()) / REMAINDER);
    }

    /** Takes room for a payload; returns the units that it takes. */
    int take(int payloadBytes) {
        usualBytes += (payloadBytes - usualBytes) / 64;
        int size = (int) Math.min(capacity, 1 + payloadBytes / bytesPerUnit);
        units += size;
        return size;
    }

    void free(int size) {
        units -= size;
    }

    /** How many units a destination that has taken some may take, and leave room for the others. */
    int share(int taken) {
        return Math.max(0, (SHARE * (capacity - units) - taken) / (SHARE + 1));
    }

    /** The same, but nothing until a good portion is possible. */
    int portion(int taken) {
        int room = share(taken);
        return room * (SHARE + 1) >= capacity - units ? room : 0;
    }

    /** The same for a destination that lets others go first: never much, and never nothing for good. */
    int remainder(int taken) {
        int room = Math.min(capacity - units, remainder - taken);
        return room * SHARE >= remainder ? room : 0;
    }

    /** Fetches keep within the window; only a flood of late commits can go beyond, and not without end. */
    boolean isOverfull() {
        return units >= 2 * capacity;
    }

    /** To be called before a round of reading: what is read and what is admitted go by the same limit. */
    void beginRound() {
        keyLimit = Math.max(1, Math.min(MAX_QUEUED, fitting() / KEY_SHARE));
    }

    /** How many entries of one key may be in hand: fewer when payloads are large. */
    int keyLimit() {
        return keyLimit;
    }

    /** How many entries of the usual size fit into the window. */
    int fitting() {
        return (int) Math.max(1, Math.min(capacity, (double) bytes(capacity) / Math.max(1, usualBytes)));
    }

    /** How many entries of the usual size are worth being read together. */
    int goodPortion() {
        return Math.max(1, fitting() / (SHARE + 1));
    }

    long bytes(int ofUnits) {
        return ofUnits * bytesPerUnit;
    }
}
