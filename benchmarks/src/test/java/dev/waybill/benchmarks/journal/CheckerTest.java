package dev.waybill.benchmarks.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckerTest {
    private final Checker checker = new Checker();

    @BeforeEach
    void publishThree() {
        checker.publishedUpTo(3);
    }

    @Test
    void whatArrivesOnceInOrderIsFine() {
        receive(1, 2, 3);
        assertThat(checker.findings()).isEqualTo(new Findings(3, 3, 0, 0, 0, 0));
    }

    @Test
    void whatNeverArrivesIsLost() {
        receive(1, 3);
        assertThat(checker.findings().lost()).isEqualTo(1);
    }

    @Test
    void whatNobodyPublishedIsAGhost() {
        receive(1, 2, 3, 4);
        assertThat(checker.findings().ghosts()).isEqualTo(1);
    }

    @Test
    void arrivalsBeyondTheFirstAreDoubledAndNotOutOfOrder() {
        receive(1, 2, 3, 1, 2);
        assertThat(checker.findings()).isEqualTo(new Findings(3, 3, 0, 0, 2, 0));
    }

    @Test
    void anEarlierMessageOfTheKeyAfterALaterOneIsOutOfOrder() {
        receive(2, 1, 3);
        assertThat(checker.findings().outOfOrder()).isEqualTo(1);
    }

    @Test
    void differentKeysHaveNoOrder() {
        checker.received(2, 2, 0);
        checker.received(1, 1, 1);
        assertThat(checker.findings().outOfOrder()).isZero();
    }

    @Test
    void whatTwoProcessesReceivedIsPutInOrderByTime() {
        checker.received(1, 2, 20);
        checker.received(1, 1, 10);
        assertThat(checker.findings().outOfOrder()).isZero();
    }

    @Test
    void aJournalGivesBackMoreLinesThanItsBufferHolds(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("journal");
        int lines = 40_000;
        try (Journal journal = Journal.open(path)) {
            for (int i = 1; i <= lines; i++) {
                journal.add(i % 7, i, 100 + i, i);
            }
            assertThat(List.of(journal.lines(), journal.first(), journal.last()))
                    .containsExactly((long) lines, 101L, 100L + lines);
        }
        List<Long> numbers = new ArrayList<>();
        Journal.read(path, (key, number, at, begunAt) -> {
            assertThat(List.of(key, at, begunAt)).containsExactly(number % 7, 100 + number, number);
            numbers.add(number);
        });
        assertThat(numbers).hasSize(lines).isSorted();
    }

    private void receive(long... numbers) {
        for (int i = 0; i < numbers.length; i++) {
            checker.received(1, numbers[i], i);
        }
    }
}
