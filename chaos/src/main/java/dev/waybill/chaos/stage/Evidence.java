package dev.waybill.chaos.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Which files the processes leave behind. */
public final class Evidence {
    private static final String JOURNAL = "journal-";
    private static final String ARRIVALS = "arrivals-";

    private Evidence() {}

    static String journal(int incarnation) {
        return JOURNAL + incarnation + ".txt";
    }

    /** Of the command itself. */
    public static String heldJournal() {
        return JOURNAL + "held.txt";
    }

    static String arrivals(int consumer) {
        return ARRIVALS + (consumer + 1) + ".txt";
    }

    /** What writers wrote down. */
    public static List<Path> journals(Path folder) throws IOException {
        return files(folder, JOURNAL);
    }

    /** What consumers received. */
    public static List<Path> arrivals(Path folder) throws IOException {
        return files(folder, ARRIVALS);
    }

    private static List<Path> files(Path folder, String start) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(start))
                    .sorted()
                    .toList();
        }
    }
}
