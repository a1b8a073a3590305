package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    @Test
    void noWaitIsLongerThanTheLongest() {
        RetryPolicy policy = new RetryPolicy(10, MILLISECOND, MILLISECOND.multipliedBy(3));
        SplittableRandom random = new SplittableRandom(1);

        for (int failures = 1; failures < 100; failures++) {
            assertThat(policy.wait(failures, random)).isBetween(MILLISECOND, policy.cap());
        }
    }

    @Test
    void aWaitThatNoClockCouldMeasureIsRefused() {
        RetryPolicy longest = RetryPolicy.defaults().withBackoff(MILLISECOND, Duration.ofDays(3650));
        assertThat(longest.wait(Integer.MAX_VALUE, new SplittableRandom(1))).isLessThanOrEqualTo(longest.cap());

        assertThatThrownBy(() -> longest.withBackoff(MILLISECOND, Duration.ofDays(3651)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3,650 days");
        assertThatThrownBy(() -> longest.withBackoff(MILLISECOND, Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
