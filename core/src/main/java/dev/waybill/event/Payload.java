package dev.waybill.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of an event. Immutable: bytes are copied on the way in and on the way out. */
public final class Payload {
    private static final Payload EMPTY = new Payload(new byte[0]);

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Payload of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Payload(bytes.clone());
    }

    public static Payload utf8(String text) {
        return new Payload(text.getBytes(StandardCharsets.UTF_8));
    }

    public static Payload empty() {
        return EMPTY;
    }

    public int size() {
        return bytes.length;
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /** A read-only view, for callers that need no copy. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    public String utf8() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Shows the size only: payloads may hold personal data and must not reach a log. */
    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
