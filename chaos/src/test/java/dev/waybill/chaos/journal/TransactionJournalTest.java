package dev.waybill.chaos.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.chaos.clock.SteadyClock;
import dev.waybill.chaos.journal.TransactionJournal.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionJournalTest {
    private static final Intent KEPT = new Intent(UUID.randomUUID(), "orders", "k-1", true);
    private static final Intent UNDONE = new Intent(UUID.randomUUID(), "payments", null, false);

    @TempDir
    Path folder;

    @Test
    void whatWasWrittenComesBackWithItsTimes() throws IOException {
        long before = SteadyClock.millis();
        Path file = write(Outcome.COMMITTED);
        WrittenTransaction read = JournalReader.read(file).get(0);
        assertThat(read.events()).containsExactly(KEPT, UNDONE);
        assertThat(read.outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(read.ended()).isGreaterThanOrEqualTo(read.begun());
        assertThat(read.endedMillis()).isBetween(before, SteadyClock.millis());
    }

    @Test
    void nobodyKnowsWhenAnUnknownTransactionWasCommitted() throws IOException {
        assertThat(JournalReader.read(write(Outcome.UNKNOWN)).get(0).ended()).isEqualTo(WrittenTransaction.NEVER);
    }

    @Test
    void aTransactionWithoutAnEndIsUnknown() throws IOException {
        Path file = folder.resolve("journal");
        try (TransactionJournal journal = new TransactionJournal(file)) {
            journal.intend(1, List.of(KEPT));
        }
        assertThat(JournalReader.read(file))
                .singleElement()
                .satisfies(one -> assertThat(one.outcome()).isEqualTo(Outcome.UNKNOWN));
    }

    @Test
    void aLineThatWasNotFinishedDidNotHappen() throws IOException {
        Path file = write(Outcome.COMMITTED);
        Files.writeString(file, "INTENT 2 12", UTF_8, StandardOpenOption.APPEND);
        assertThat(JournalReader.read(file)).hasSize(1);
    }

    private Path write(Outcome outcome) throws IOException {
        Path file = folder.resolve("journal");
        try (TransactionJournal journal = new TransactionJournal(file)) {
            journal.intend(1, List.of(KEPT, UNDONE));
            journal.ended(1, outcome);
        }
        return file;
    }
}
