package dev.waybill.testkit.sim;

import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who did what at which virtual time: as a hash always, as text if somebody reads it. Not thread-safe. */
final class Trace {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final @Nullable Consumer<String> reader;
    private long hash = FNV_OFFSET;

    Trace(@Nullable Consumer<String> reader) {
        this.reader = reader;
    }

    void add(long nanos, String actor, String action) {
        mix(nanos);
        mix(actor.hashCode());
        mix(action.hashCode());
        if (reader != null) {
            long micros = nanos / 1000;
            reader.accept(String.format(
                    Locale.ROOT, "%4d.%06d  %-10s %s", micros / 1_000_000, micros % 1_000_000, actor, action));
        }
    }

    long hash() {
        return hash;
    }

    private void mix(long value) {
        hash = (hash ^ value) * FNV_PRIME;
        hash ^= hash >>> 29;
    }
}
