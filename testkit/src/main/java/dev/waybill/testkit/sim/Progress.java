package dev.waybill.testkit.sim;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** How far a long run has come, kept in a file if that is wanted. Not thread-safe. */
final class Progress {
    private static final String NEXT = "next";

    private final @Nullable Path file;
    private final Totals totals;
    private long next;

    private Progress(@Nullable Path file, Totals totals, long next) {
        this.file = file;
        this.totals = totals;
        this.next = next;
    }

    /** Takes over the figures of the run that is resumed. */
    static Progress begin(Options options, Totals totals) throws Options.InvalidException {
        Path file = options.resume();
        if (file == null || !Files.exists(file)) {
            Progress progress = new Progress(file, totals, options.fromOr(1));
            progress.reached(progress.next, Duration.ZERO);
            return progress;
        }
        if (options.from() != null) {
            throw new Options.InvalidException(file + " says where to go on: --from does not go together with it.");
        }
        Properties state = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            state.load(reader);
            Progress progress = new Progress(file, totals, Long.parseLong(state.getProperty(NEXT)));
            totals.load(state);
            return progress;
        } catch (IOException | IllegalArgumentException e) {
            throw new Options.InvalidException("Cannot resume what is in " + file + ": " + e);
        }
    }

    /** The first seed that is not done. */
    long next() {
        return next;
    }

    /** All seeds before this one are done. Replaces the file as a whole, so that it survives the end of this process. */
    void reached(long seed, Duration elapsed) throws Options.InvalidException {
        next = seed;
        if (file == null) {
            return;
        }
        Properties state = new Properties();
        state.setProperty(NEXT, Long.toString(seed));
        totals.save(state, elapsed);
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (Writer writer = Files.newBufferedWriter(written)) {
                state.store(writer, "waybill sim --resume: do not edit");
            }
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new Options.InvalidException("Cannot write the state to " + file + ": " + e);
        }
    }
}
