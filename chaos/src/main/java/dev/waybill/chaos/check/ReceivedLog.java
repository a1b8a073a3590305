package dev.waybill.chaos.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.chaos.stage.Evidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What consumers wrote down before their inbox saw it. */
final class ReceivedLog {
    private ReceivedLog() {}

    static List<UUID> read(Path folder) throws IOException {
        List<UUID> received = new ArrayList<>();
        for (Path file : Evidence.arrivals(folder)) {
            String text = Files.readString(file, UTF_8);
            // What follows the last line break was being written when the consumer died.
            text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(line -> UUID.fromString(line.substring(line.lastIndexOf(' ') + 1)))
                    .forEach(received::add);
        }
        return received;
    }
}
