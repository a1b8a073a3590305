package dev.waybill.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** Where Jazzer begins, in a JVM of its own; it finds these methods by their names. The first byte chooses a target. */
public final class JazzerEntry {
    /** The targets' names, with commas between them. */
    static final String TARGETS = "waybill.fuzz.targets";

    /** The file that tells how many inputs each of them had. */
    static final String COUNTS = "waybill.fuzz.counts";

    private static final List<String> NAMES =
            List.of(System.getProperty(TARGETS, "").split(","));
    private static final List<Harness> HARNESSES =
            NAMES.stream().map(Harness::new).toList();
    private static final long[] INPUTS = new long[NAMES.size()];

    private JazzerEntry() {}

    /** Before the first input, whose time is measured, classes have to be loaded and instrumented. */
    public static void fuzzerInitialize() {
        for (int i = 0; i < INPUTS.length; i++) {
            HARNESSES.get(i).run(Corpus.read(Corpus.of(NAMES.get(i)).get(0)));
        }
    }

    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length > 0) {
            int index = Address.target(data, NAMES.size());
            INPUTS[index]++;
            HARNESSES.get(index).run(Address.input(data));
        }
    }

    public static void fuzzerTearDown() throws IOException {
        Properties counts = new Properties();
        for (int i = 0; i < INPUTS.length; i++) {
            counts.setProperty(NAMES.get(i), Long.toString(INPUTS[i]));
        }
        try (var out = Files.newOutputStream(Path.of(System.getProperty(COUNTS, "counts")))) {
            counts.store(out, null);
        }
    }
}
