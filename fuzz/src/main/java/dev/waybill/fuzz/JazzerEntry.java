package dev.waybill.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** Where Jazzer begins, in a JVM of its own; it finds these methods by their names. The first byte chooses a target. */
public final class JazzerEntry {
    /** The targets' names, with commas between them. */
    static final String TARGETS = "waybill.fuzz.targets";

    /** The file that tells how many inputs each of them had. */
    static final String COUNTS = "waybill.fuzz.counts";

    private static final List<String> NAMES = List.of(System.getProperty(TARGETS, "").split(","));
    private static final List<Harness> HARNESSES = NAMES.stream().map(Harness::new).toList();
    private static final long[] INPUTS = new long[NAMES.size()];

    private JazzerEntry() {}

    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length > 0) {
            int index = chosen(data, NAMES.size());
            INPUTS[index]++;
            HARNESSES.get(index).run(input(data));
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

    /** Which of so many targets an input of Jazzer's is for. */
    static int chosen(byte[] data, int targets) {
        return (data[0] & 0xff) % targets;
    }

    /** What the target gets of it. */
    static byte[] input(byte[] data) {
        return Arrays.copyOfRange(data, 1, data.length);
    }

    /** An input for the n-th target. */
    static byte[] addressed(int index, byte[] input) {
        byte[] data = new byte[input.length + 1];
        data[0] = (byte) index;
        System.arraycopy(input, 0, data, 1, input.length);
        return data;
    }
}
