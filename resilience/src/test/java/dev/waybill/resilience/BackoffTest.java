package dev.waybill.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final RetryConfig CONFIG =
            RetryConfig.defaults().withWaits(Duration.ofMillis(500), Duration.ofSeconds(3));

    @Test
    void waitsDoubleUpToTheLongest() {
        Backoff backoff = new Backoff(CONFIG.withJitter(0), () -> 0.7);

        assertThat(IntStream.rangeClosed(1, 5).mapToObj(backoff::apply))
                .containsExactly(500L, 1000L, 2000L, 3000L, 3000L);
        assertThat(backoff.apply(10_000)).isEqualTo(3000);
    }

    @Test
    void aMultiplierOfOneWaitsTheSameEachTime() {
        Backoff backoff = new Backoff(CONFIG.withJitter(0).withMultiplier(1), () -> 0);

        assertThat(IntStream.rangeClosed(1, 3).mapToObj(backoff::apply)).containsExactly(500L, 500L, 500L);
    }

    @Test
    void jitterShortensWaitsByItsPartAtMost() {
        assertThat(new Backoff(CONFIG.withJitter(0.5), () -> 0).apply(2)).isEqualTo(1000);
        assertThat(new Backoff(CONFIG.withJitter(0.5), () -> 0.5).apply(2)).isEqualTo(750);
        assertThat(new Backoff(CONFIG.withJitter(0.5), () -> 1).apply(2)).isEqualTo(500);
        assertThat(new Backoff(CONFIG.withJitter(1), () -> 1).apply(2))
                .as("never no wait at all")
                .isEqualTo(1);
    }

    @Test
    void chanceIsNotAlwaysTheSame() {
        Backoff backoff = Backoff.of(CONFIG);

        assertThat(IntStream.range(0, 100).mapToObj(i -> backoff.apply(2)).distinct())
                .hasSizeGreaterThan(10)
                .allMatch(wait -> wait >= 500 && wait <= 1000);
    }
}
