package dev.waybill.benchmarks.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes down which message was published or received when, into a file, so that millions of them need no memory.
 * Thread-safe.
 */
public final class Journal implements AutoCloseable {
    private static final int LINE = 4 * Long.BYTES;
    private static final int LINES = 16 * 1024;

    /** Takes the lines of a journal. */
    public interface Reader {

        /**
         * A message.
         *
         * @param at      when its transaction had committed, or when it was received, in nanoseconds since 1970
         * @param begunAt when its transaction began
         */
        void line(long key, long number, long at, long begunAt);
    }

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LINES * LINE);
    private long lines;
    private long first;
    private long last;

    private Journal(FileChannel file) {
        this.file = file;
    }

    /** An empty one, in place of what the file held. */
    public static Journal open(Path path) throws IOException {
        return new Journal(FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
    }

    public synchronized void add(long key, long number, long at, long begunAt) {
        if (!buffer.hasRemaining()) {
            flush();
        }
        buffer.putLong(key).putLong(number).putLong(at).putLong(begunAt);
        if (lines == 0) {
            first = at;
        }
        last = at;
        lines++;
    }

    public synchronized long lines() {
        return lines;
    }

    /** When the first line was written; 0: there is none. */
    public synchronized long first() {
        return first;
    }

    public synchronized long last() {
        return last;
    }

    @Override
    public synchronized void close() {
        try {
            flush();
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void flush() {
        try {
            buffer.flip();
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
            buffer.clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a closed journal in its order. */
    public static void read(Path path, Reader reader) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(LINES * LINE);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            while (file.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.remaining() >= LINE) {
                    reader.line(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
                }
                buffer.compact();
            }
        }
    }
}
