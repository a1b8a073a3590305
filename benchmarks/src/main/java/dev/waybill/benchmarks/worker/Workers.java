package dev.waybill.benchmarks.worker;

import dev.waybill.benchmarks.contender.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Starts workers, and ends them all. One thread calls it. */
public final class Workers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path folder;
    private final Deque<Runner> runners = new ArrayDeque<>();
    private int started;

    /**
     * Starts none yet.
     *
     * @param folder for their logs and journals
     */
    public Workers(Path folder) {
        this.folder = folder;
    }

    /** Starts a worker with this contender. */
    public Runner start(String contender, Site site, String classPath, int heapMegabytes) {
        try {
            String name = ++started + "-" + contender.replaceAll("[^A-Za-z0-9.]+", "-");
            Path journals = Files.createDirectories(folder.resolve(name));
            Worker worker = Worker.start(name, command(classPath, heapMegabytes), folder.resolve(name + ".log"));
            try {
                Runner runner = new Runner(contender, worker, journals, site);
                runners.push(runner);
                return runner;
            } catch (WorkerException e) {
                worker.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The worker of " + contender + " could not be started", e);
        }
    }

    /** The contenders that a class path has. */
    public List<String> names(String classPath) {
        try (Worker worker = Worker.start("names", command(classPath, 64), folder.resolve("names.log"))) {
            return List.of(
                    worker.call(Words.of("do", "names"), PATIENCE).text("names").split("; "));
        } catch (IOException e) {
            throw new UncheckedIOException("A worker could not be started", e);
        }
    }

    private static List<String> command(String classPath, int heapMegabytes) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return List.of(
                java.toString(),
                // All of it from the start: how soon a heap grows is the collector's business, and no contender's.
                "-Xms" + heapMegabytes + "m",
                "-Xmx" + heapMegabytes + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                classPath,
                WorkerMain.class.getName());
    }

    /** Ends those that were started since the last call. */
    @Override
    public void close() {
        while (!runners.isEmpty()) {
            runners.pop().close();
        }
    }
}
