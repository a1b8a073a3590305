package dev.waybill.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardsTest {

    /** Computed with another language: these numbers are stored in databases and may never change. */
    @Test
    void theShardOfAKeyIsFixedForEver() {
        assertThat(Shards.of("orders", "o-1")).isEqualTo(47);
        assertThat(Shards.of("orders", "ö")).isEqualTo(13);
        assertThat(Shards.of("a/b:c", "\uD83D\uDE9A")).isEqualTo(53);
        assertThat(Shards.of("orders", "line\nbreak")).isEqualTo(42);
    }

    @Test
    void theShardOfAnEventWithoutAKeyComesFromItsId() {
        assertThat(Shards.of(keyless("00000000-0000-7000-8000-00000000000a"))).isEqualTo(4);
        assertThat(Shards.of(keyless("ffffffff-ffff-7fff-bfff-ffffffffffff"))).isEqualTo(28);
    }

    @Test
    void allShardsAreUsedEvenly() {
        int[] counts = new int[Shards.COUNT];
        IntStream.range(0, 64_000).forEach(i -> counts[Shards.of("orders", "o-" + i)]++);

        assertThat(IntStream.of(counts).boxed()).allMatch(count -> count > 850 && count < 1150);
    }

    private static Event keyless(String id) {
        return Event.to("orders").type("t").id(UUID.fromString(id)).build();
    }
}
