package dev.waybill.chaos.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.chaos.journal.TransactionJournal.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads the journal of a writer that may have been killed at any moment. */
public final class JournalReader {
    private record Begun(List<Intent> events, long at) {}

    private final Map<Long, Begun> open = new LinkedHashMap<>();
    private final List<WrittenTransaction> ended = new ArrayList<>();

    private JournalReader() {}

    /** All transactions; those without an end, because the writer was killed, are unknown. */
    public static List<WrittenTransaction> read(Path path) throws IOException {
        JournalReader reader = new JournalReader();
        String text = Files.readString(path, UTF_8);
        // What follows the last line break was being written when the writer died, and nothing had happened yet.
        text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(reader::line);
        reader.open.forEach((id, begun) -> reader.ended.add(
                new WrittenTransaction(id, begun.events(), begun.at(), Outcome.UNKNOWN, WrittenTransaction.NEVER)));
        return reader.ended;
    }

    private void line(String line) {
        String[] words = line.split(" ", 4);
        long id = Long.parseLong(words[1]);
        long at = Long.parseLong(words[2]);
        if (words[0].equals("INTENT")) {
            open.put(id, new Begun(events(words[3]), at));
            return;
        }
        Begun begun = open.remove(id);
        if (begun == null) {
            throw new IllegalArgumentException("no intent before: " + line);
        }
        Outcome outcome = Outcome.valueOf(words[0]);
        // Of an unknown one nobody knows when it was committed, if it was.
        boolean unknown = outcome == Outcome.UNKNOWN;
        ended.add(new WrittenTransaction(
                id, begun.events(), begun.at(), outcome, unknown ? WrittenTransaction.NEVER : at));
    }

    private static List<Intent> events(String text) {
        List<Intent> events = new ArrayList<>();
        for (String one : text.split(" ", -1)) {
            String[] fields = one.split(Pattern.quote(TransactionJournal.FIELDS), -1);
            String key = fields[2].isEmpty() ? null : fields[2];
            events.add(new Intent(UUID.fromString(fields[0]), fields[1], key, fields[3].equals("kept")));
        }
        return events;
    }
}
