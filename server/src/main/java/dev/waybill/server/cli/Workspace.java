package dev.waybill.server.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A temporary folder of one run, with its log. */
public record Workspace(Path folder) {
    private static final Logger LOG = LoggerFactory.getLogger(Workspace.class);

    public static Workspace create(String prefix) {
        try {
            return new Workspace(Files.createTempDirectory(prefix));
        } catch (IOException e) {
            throw new UncheckedIOException("There is no temporary folder to work in", e);
        }
    }

    public Path log() {
        return folder.resolve("waybill.log");
    }

    /** Removes everything but the log. */
    public void clear() {
        delete(file -> !file.equals(log()) && !file.equals(folder));
    }

    public void delete() {
        delete(file -> true);
    }

    private void delete(Predicate<Path> which) {
        try (Stream<Path> files = Files.walk(folder)) {
            // What is in a folder comes before the folder.
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (which.test(file)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            LOG.warn("Not all files in {} could be deleted", folder, e);
        }
    }
}
