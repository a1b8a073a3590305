package dev.waybill.benchmarks.contender;

import java.nio.ByteBuffer;

/**
 * An event that a contender publishes. The payload begins with what a receiver needs, each as a {@code long}: the
 * number of the key, the number of the message (1, 2, 3... per run) and the time of publishing (nanoseconds since
 * 1970, by the machine's clock, so that other processes can subtract it).
 */
@SuppressWarnings("ArrayRecordComponent") // a copy for every message would be measured, and nobody compares them
public record Message(String key, long number, byte[] payload) {
    /** Bytes that a payload has at least. */
    public static final int HEAD = 3 * Long.BYTES;

    private static final String KEY_PREFIX = "key-";

    public static Message of(long key, long number, long publishedNanos, int payloadBytes) {
        byte[] payload = new byte[Math.max(HEAD, payloadBytes)];
        // Letters that differ from message to message, so that neither TOAST nor a codec makes them small.
        long state = number * 0x9E3779B97F4A7C15L;
        for (int i = HEAD; i < payload.length; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            payload[i] = (byte) ('a' + (state & 15));
        }
        ByteBuffer.wrap(payload).putLong(key).putLong(number).putLong(publishedNanos);
        return new Message(KEY_PREFIX + key, number, payload);
    }

    /** The message with this number of a backlog over keys in turn. */
    public static Message ofBacklog(long number, int keys, int payloadBytes) {
        return of(number % keys, number, 0, payloadBytes);
    }

    public static long keyOf(byte[] payload) {
        return ByteBuffer.wrap(payload).getLong(0);
    }

    public static long numberOf(byte[] payload) {
        return ByteBuffer.wrap(payload).getLong(Long.BYTES);
    }

    public static long publishedNanosOf(byte[] payload) {
        return ByteBuffer.wrap(payload).getLong(2 * Long.BYTES);
    }

    @Override
    public String toString() {
        return "message " + number + " of " + key + ", " + payload.length + " bytes";
    }
}
