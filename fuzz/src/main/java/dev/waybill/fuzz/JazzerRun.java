package dev.waybill.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fuzzes some targets in a JVM of its own, which instruments our classes and ends with its first finding. Thread-safe. */
final class JazzerRun {
    private static final Pattern COVERAGE = Pattern.compile("\\bcov: (\\d+)");
    private static final Pattern REASON =
            Pattern.compile("== Java Exception: (?<thrown>.*)|(?<late>ALARM: .*)|.*ERROR: (?<fatal>libFuzzer: .*)");
    private static final Pattern WRITTEN = Pattern.compile(".*Test unit written to (?<file>.*)");
    /** For the start, and for the input that is under way at the end. */
    private static final Duration MARGIN = Duration.ofMinutes(3);

    private final List<String> targets;
    private final long seed;
    private final Path folder;
    private final Path corpus;
    private volatile @Nullable Process process;
    private volatile boolean stopped;

    /**
     * Prepares a run.
     *
     * @param folder for what the run leaves behind
     * @param corpus where inputs that reach new code are kept, and taken from by the next run
     */
    JazzerRun(List<String> targets, long seed, Path folder, Path corpus) {
        this.targets = List.copyOf(targets);
        this.seed = seed;
        this.folder = folder;
        this.corpus = corpus;
    }

    /** Ends it before its time. */
    void stop() {
        stopped = true;
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    Report run(Duration time) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Files.createDirectories(corpus);
        writeCorpus();
        long started = System.nanoTime();
        Path log = folder.resolve("log");
        Process child = new ProcessBuilder(command(time))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process = child;
        if (stopped) {
            child.destroyForcibly();
        }
        boolean ended = child.waitFor(time.plus(MARGIN).toMillis(), TimeUnit.MILLISECONDS);
        child.destroyForcibly().waitFor();
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        return report(Files.readString(log, UTF_8), ended, took);
    }

    private void writeCorpus() throws IOException {
        for (int i = 0; i < targets.size(); i++) {
            List<String> lines = Corpus.of(targets.get(i));
            for (int line = 0; line < lines.size(); line++) {
                byte[] data = Address.to(i, Corpus.read(lines.get(line)));
                Files.write(corpus.resolve(targets.get(i) + "-" + line), data);
            }
        }
    }

    private List<String> command(Duration time) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "-D" + JazzerEntry.TARGETS + "=" + String.join(",", targets),
                "-D" + JazzerEntry.COUNTS + "=" + folder.resolve("counts"),
                "-cp",
                classPath(),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + JazzerEntry.class.getName(),
                "--instrumentation_includes=dev.waybill.**",
                "--custom_hook_includes=dev.waybill.**",
                "--reproducer_path=" + folder,
                "-seed=" + seed,
                "-max_total_time=" + Math.max(1, time.toSeconds()),
                "-timeout=30",
                // The heap has a limit of its own, and the rest of a JVM is not ours to measure.
                "-rss_limit_mb=0",
                "-max_len=4096",
                "-artifact_prefix=" + folder + "/",
                corpus.toString());
    }

    /** The other JVM works in another folder. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Report report(String log, boolean ended, Duration took) throws IOException {
        List<Finding> findings = findings(log);
        Map<String, Long> inputs = inputs();
        if (findings.isEmpty() && !stopped && (!ended || inputs.isEmpty())) {
            throw new IOException("Jazzer did not fuzz " + targets + ": " + tail(log));
        }
        return new Report(seed, inputs, coverage(log), took, findings);
    }

    /** As the entry wrote them at its end; it writes none if it was ended. */
    private Map<String, Long> inputs() throws IOException {
        Map<String, Long> inputs = new HashMap<>();
        Path file = folder.resolve("counts");
        if (Files.exists(file)) {
            Properties counts = new Properties();
            try (InputStream in = Files.newInputStream(file)) {
                counts.load(in);
            }
            targets.forEach(target -> inputs.put(target, Long.valueOf(counts.getProperty(target, "0"))));
        }
        return inputs;
    }

    /** Each is told with its reason first, and then with the file that it is in. */
    private List<Finding> findings(String log) throws IOException {
        List<Finding> findings = new ArrayList<>();
        String reason = "no reason given";
        for (String line : log.lines().toList()) {
            Matcher told = REASON.matcher(line);
            Matcher written = WRITTEN.matcher(line);
            if (told.matches()) {
                reason = Stream.of("thrown", "late", "fatal")
                        .map(told::group)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(line);
            } else if (written.matches() && !line.contains("slow-unit")) {
                byte[] data = Files.readAllBytes(Path.of(written.group("file")));
                String target = targets.get(Address.target(data, targets.size()));
                findings.add(new Finding(target, Corpus.write(Address.input(data)), reason));
            }
        }
        return findings;
    }

    private static long coverage(String log) {
        long last = 0;
        Matcher matcher = COVERAGE.matcher(log);
        while (matcher.find()) {
            last = Long.parseLong(matcher.group(1));
        }
        return last;
    }

    private static String tail(String log) {
        List<String> lines = log.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }
}
