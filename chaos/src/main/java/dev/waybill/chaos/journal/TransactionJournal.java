package dev.waybill.chaos.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a writer meant to do and what became of it. Thread-safe.
 *
 * <p>Each record is one write to the operating system, which keeps it when the process is killed. Times are of the clock that all
 * processes of a machine share and that never goes back; the first line says what it showed at a time of day.
 */
public final class TransactionJournal implements AutoCloseable {
    /** What ended a transaction, as its writer saw it. */
    public enum Outcome {
        COMMITTED,
        ABORTED,
        /** The commit failed: it may have happened. */
        UNKNOWN
    }

    static final String FIELDS = "|";

    private final FileChannel file;

    public TransactionJournal(Path path) throws IOException {
        file = FileChannel.open(path, WRITE, CREATE_NEW, APPEND);
    }

    /** Before the first insert. */
    public void intend(long transaction, List<Intent> events) {
        String all = events.stream().map(TransactionJournal::text).collect(Collectors.joining(" "));
        append("INTENT " + transaction + " " + System.nanoTime() + " " + all);
    }

    /** After the call that ended the transaction has returned, or thrown. */
    public void ended(long transaction, Outcome outcome) {
        append(outcome + " " + transaction + " " + System.nanoTime());
    }

    private static String text(Intent event) {
        return String.join(
                FIELDS,
                event.id().toString(),
                event.destination(),
                event.key() == null ? "" : event.key(),
                event.kept() ? "kept" : "undone");
    }

    private void append(String line) {
        try {
            // Other threads of the process write too: a line must go as a whole.
            synchronized (file) {
                ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
