package dev.waybill.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EntryTest {

    @Test
    void inALogItTakesOneLineWhateverItsKeyIs() {
        Event event = Event.to("orders").type("t").key("k\nERROR forged").build();
        Entry entry = new Entry(7, 1, event, 0, null, 0, Duration.ZERO);

        assertThat(entry).hasToString("entry 7 (t " + event.id() + " to orders/k\\nERROR forged)");
        assertThat(entry.orderKey().orElseThrow()).hasToString("orders/k\\nERROR forged");
    }
}
