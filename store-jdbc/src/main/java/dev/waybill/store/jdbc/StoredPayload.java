package dev.waybill.store.jdbc;

import dev.waybill.event.Payload;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** A payload as its row holds it: as it is, or deflated in the zlib format (RFC 1950), which every language can read. */
final class StoredPayload {
    // What the format can do at best: a size beyond it is wrong, and must not be allocated.
    private static final long BEST_RATIO = 1032;
    private static final long LARGEST = Integer.MAX_VALUE - 16;

    private final byte[] bytes;
    private final @Nullable Integer inflatedSize;

    StoredPayload(byte[] bytes, @Nullable Integer inflatedSize) {
        this.bytes = bytes;
        this.inflatedSize = inflatedSize;
    }

    byte[] bytes() {
        return bytes;
    }

    /** How many bytes it has when it is inflated; {@code null}: it is as it is. */
    @Nullable
    Integer inflatedSize() {
        return inflatedSize;
    }

    /** Deflates a payload of more than so many bytes if that makes it smaller; 0: never. */
    static StoredPayload of(Payload payload, int compressAbove) {
        byte[] bytes = payload.bytes();
        if (compressAbove == 0 || bytes.length <= compressAbove) {
            return new StoredPayload(bytes, null);
        }
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(bytes);
            deflater.finish();
            byte[] deflated = new byte[bytes.length - 1];
            int size = deflater.deflate(deflated);
            return deflater.finished()
                    ? new StoredPayload(Arrays.copyOf(deflated, size), bytes.length)
                    : new StoredPayload(bytes, null);
        } finally {
            deflater.end();
        }
    }

    /**
     * The payload of the event.
     *
     * @throws IOException if the bytes do not inflate to exactly their size
     */
    Payload payload() throws IOException {
        if (inflatedSize == null) {
            return Payload.of(bytes);
        }
        if (inflatedSize < 0 || inflatedSize > Math.min(bytes.length * BEST_RATIO, LARGEST)) {
            throw wrong(null);
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes);
            // One more than there may be: what is too long must not pass for complete.
            byte[] inflated = new byte[inflatedSize + 1];
            int size = inflater.inflate(inflated);
            if (!inflater.finished() || size != inflatedSize || inflater.getRemaining() > 0) {
                throw wrong(null);
            }
            return Payload.of(Arrays.copyOf(inflated, size));
        } catch (DataFormatException e) {
            throw wrong(e);
        } finally {
            inflater.end();
        }
    }

    private IOException wrong(@Nullable Throwable cause) {
        return new IOException(
                "its payload of " + bytes.length + " bytes does not inflate to inflated_size = " + inflatedSize + ".",
                cause);
    }
}
