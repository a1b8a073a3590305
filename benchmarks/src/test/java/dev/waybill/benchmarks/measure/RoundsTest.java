package dev.waybill.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {

    @Test
    void contendersTakeTurnsAndEveryOtherRoundGoesBackwards() {
        List<String> order = new ArrayList<>();
        new Rounds().with("a", () -> 1).with("b", () -> 2).run(3, (round, rounds, name) -> order.add(round + name));
        assertThat(order).containsExactly("0a", "0b", "1b", "1a", "2a", "2b", "3b", "3a");
    }

    @Test
    void theRoundThatWarmsUpDoesNotCount() {
        double[] next = {0};
        Map<String, double[]> figures = new Rounds().with("a", () -> ++next[0]).run(2, (round, rounds, name) -> {});
        assertThat(figures.get("a")).containsExactly(2, 3);
    }

    @Test
    void quantilesOfLatenciesAreInMillisecondsAndNeverNegative() {
        long[] nanos = new long[100];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = (i + 1) * 1_000_000L;
        }
        assertThat(Latencies.ofNanos(nanos)).isEqualTo(new Latencies(50, 99, 100, 100));
        assertThat(Latencies.ofNanos(-5)).isEqualTo(new Latencies(0, 0, 0, 1));
        assertThatThrownBy(() -> Latencies.ofNanos(-1_000_000, -1_000_000, 5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("clocks");
    }
}
