package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private static final long NOW = Duration.ofHours(1).toNanos();

    private final Throttle throttle = new Throttle();

    @Test
    void theNextOneWaitsForItsShareOfASecond() {
        assertThat(throttle.tryTake(NOW, 10)).isTrue();
        assertThat(throttle.tryTake(NOW, 10)).isFalse();
        long next = throttle.nextAt(NOW, 10);
        assertThat(next - NOW).isBetween(99_000_000L, 101_000_000L);
        assertThat(throttle.tryTake(next, 10)).isTrue();
    }

    @Test
    void withoutAShareThereIsNoNextOne() {
        assertThat(throttle.tryTake(NOW, 10)).isTrue();
        assertThat(throttle.nextAt(NOW, 0)).isEqualTo(Long.MAX_VALUE);
    }
}
