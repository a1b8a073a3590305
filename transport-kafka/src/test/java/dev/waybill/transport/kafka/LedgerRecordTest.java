package dev.waybill.transport.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.transport.Term;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LedgerRecordTest {

    @Test
    void whatIsWrittenIsRead() {
        List<Term.Arrived> entries = List.of(
                new Term.Arrived(0, 1, UUID.randomUUID()), new Term.Arrived(63, Long.MAX_VALUE, UUID.randomUUID()));
        assertThat(LedgerRecord.read(LedgerRecord.write(entries))).isEqualTo(entries);
        assertThat(LedgerRecord.read(LedgerRecord.write(List.of()))).isEmpty();
    }

    @Test
    void whatIsNoLedgerIsNotTakenForAnEmptyOne() {
        byte[] good = LedgerRecord.write(List.of(new Term.Arrived(5, 7, UUID.randomUUID())));
        byte[] newer = good.clone();
        newer[0] = 2;
        for (byte[] bad : List.of(new byte[0], Arrays.copyOf(good, good.length - 1), newer, new byte[5])) {
            assertThatThrownBy(() -> LedgerRecord.read(bad)).isInstanceOf(IllegalStateException.class);
        }
    }
}
