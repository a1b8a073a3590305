package dev.waybill.chaos.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file system of its own, in a file: it can be full without harm to the machine. Mounting one takes root and a loop device.
 * Used by one thread at a time.
 */
final class SmallDisk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmallDisk.class);
    /** Sparse: it takes only what is written. Enough for the data and for all log segments that a server keeps by default. */
    private static final String SIZE = "2G";

    private static final long LITTLE = 64 * 1024;
    private static final int MOST_PIECES = 20;

    private final Path folder;
    /** However this process ends, short of being killed, nothing stays mounted. */
    private final Thread cleanUp = new Thread(this::unmount, "small-disk-clean-up");

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes one in this folder.
     *
     * @throws IllegalStateException if the system does not allow it; the message says what to do
     */
    static SmallDisk mount(Path parent) {
        Path image = parent.resolve("disk.img");
        SmallDisk disk = new SmallDisk(parent.resolve("disk"));
        try {
            Files.createDirectories(disk.folder);
            run("truncate", "-s", SIZE, image.toString());
            // Without a reserve for root, who is the one that writes here.
            run("mkfs.ext4", "-q", "-m", "0", image.toString());
            run("mount", "-o", "loop", image.toString(), disk.folder.toString());
        } catch (IOException e) {
            throw new IllegalStateException(
                    "A full disk needs a disk of its own, and this system allows none: " + e.getMessage()
                            + ". Run it as root where loop devices can be mounted, or without --full-disk.",
                    e);
        }
        Runtime.getRuntime().addShutdownHook(disk.cleanUp);
        return disk;
    }

    Path folder() {
        return folder;
    }

    /** Leaves no room, or so little that the next write takes it. */
    void fill() {
        try {
            for (int piece = 0; room() > LITTLE; piece++) {
                if (piece == MOST_PIECES) {
                    throw new IOException("there are still " + room() + " bytes");
                }
                take(room(), ballast(piece));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The disk could not be filled", e);
        }
    }

    private long room() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    private static void take(long bytes, Path file) {
        try {
            run("fallocate", "-l", String.valueOf(bytes), file.toString());
        } catch (IOException e) {
            // The server was faster, and what is left is less: the next piece takes that.
            LOG.debug("Not all of it", e);
        }
    }

    private Path ballast(int piece) {
        return folder.resolve("ballast-" + piece);
    }

    void free() {
        try {
            for (int piece = 0; piece < MOST_PIECES; piece++) {
                Files.deleteIfExists(ballast(piece));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The disk could not be freed", e);
        }
    }

    /** After whoever writes to it has ended. */
    @Override
    public void close() {
        unmount();
        try {
            Runtime.getRuntime().removeShutdownHook(cleanUp);
        } catch (IllegalStateException e) {
            // It runs already.
        }
    }

    private void unmount() {
        try {
            // As soon as nobody uses it.
            run("umount", "--lazy", folder.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("The disk stays mounted at " + folder, e);
        }
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", List.of(command)) + ": " + said.replaceAll("\\s+", " "));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
