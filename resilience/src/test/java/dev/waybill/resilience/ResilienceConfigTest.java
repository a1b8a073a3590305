package dev.waybill.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ResilienceConfigTest {
    private static final ResilienceConfig DEFAULTS = ResilienceConfig.defaults();

    @Test
    void theDefaultsAreThoseOfThePage() {
        assertThat(DEFAULTS)
                .isEqualTo(new ResilienceConfig(
                        true,
                        new BreakerConfig(50, Duration.ofSeconds(10), WindowType.COUNT, 10, 5, 3, false),
                        new RetryConfig(3, Duration.ofMillis(500), 2, 0.5, Duration.ofMinutes(5)),
                        Map.of()));
    }

    @Test
    void anInstanceThatOverridesOnePropertyKeepsTheOtherDefaults() {
        ResilienceConfig config = DEFAULTS.withBreaker(BreakerConfig.defaults().withHalfOpenCalls(7))
                .withInstance("rate", breaker(BreakerOverrides.none().withFailureRateThreshold(60)))
                .withInstance("open", breaker(BreakerOverrides.none().withOpenTime(Duration.ofSeconds(15))))
                .withInstance("minimum", breaker(BreakerOverrides.none().withMinimumCalls(2)))
                .withInstance("half", breaker(BreakerOverrides.none().withHalfOpenCalls(1)))
                .withInstance("business", breaker(BreakerOverrides.none().withCountNonRetryable(true)))
                .withInstance("time", breaker(BreakerOverrides.none().withTimeWindow(60, 100)))
                .withInstance("attempts", retry(RetryOverrides.none().withMaxAttempts(5)))
                .withInstance("first", retry(RetryOverrides.none().withFirstWait(Duration.ofSeconds(1))))
                .withInstance("longest", retry(RetryOverrides.none().withLongestWait(Duration.ofSeconds(9))))
                .withInstance("multiplier", retry(RetryOverrides.none().withMultiplier(3)))
                .withInstance("jitter", retry(RetryOverrides.none().withJitter(0)));

        Duration open = Duration.ofSeconds(10);
        assertThat(config.breakerOf("rate")).isEqualTo(count(60, open, 5, 7, false));
        assertThat(config.breakerOf("open")).isEqualTo(count(50, Duration.ofSeconds(15), 5, 7, false));
        assertThat(config.breakerOf("minimum")).isEqualTo(count(50, open, 2, 7, false));
        assertThat(config.breakerOf("half")).isEqualTo(count(50, open, 5, 1, false));
        assertThat(config.breakerOf("business")).isEqualTo(count(50, open, 5, 7, true));
        assertThat(config.breakerOf("time")).isEqualTo(new BreakerConfig(50, open, WindowType.TIME, 60, 100, 7, false));
        assertThat(config.breakerOf("attempts")).isEqualTo(config.breaker());

        Duration first = Duration.ofMillis(500);
        Duration longest = Duration.ofMinutes(5);
        assertThat(config.retryOf("attempts")).isEqualTo(new RetryConfig(5, first, 2, 0.5, longest));
        assertThat(config.retryOf("first")).isEqualTo(new RetryConfig(3, Duration.ofSeconds(1), 2, 0.5, longest));
        assertThat(config.retryOf("longest")).isEqualTo(new RetryConfig(3, first, 2, 0.5, Duration.ofSeconds(9)));
        assertThat(config.retryOf("multiplier")).isEqualTo(new RetryConfig(3, first, 3, 0.5, longest));
        assertThat(config.retryOf("jitter")).isEqualTo(new RetryConfig(3, first, 2, 0, longest));
        assertThat(config.retryOf("rate")).isEqualTo(config.retry());
        assertThat(config.breakerOf("unknown")).isEqualTo(config.breaker());
    }

    @Test
    void defaultsThatAreSetLaterReachTheInstancesToo() {
        ResilienceConfig config = DEFAULTS.withInstance(
                        "payment", retry(RetryOverrides.none().withMaxAttempts(5)))
                .withRetry(RetryConfig.defaults().withWaits(Duration.ofMillis(1), Duration.ofMillis(2)));

        assertThat(config.retryOf("payment"))
                .isEqualTo(new RetryConfig(5, Duration.ofMillis(1), 2, 0.5, Duration.ofMillis(2)));
    }

    @Test
    void whatDoesNotFitTheDefaultsIsRefusedWithTheInstancesName() {
        InstanceConfig twenty = breaker(BreakerOverrides.none().withMinimumCalls(20));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withInstance("payment", twenty))
                .withMessageContainingAll("payment", "minimumCalls 20", "10 calls", "windowSize");
        InstanceConfig tenMinutes = retry(RetryOverrides.none().withFirstWait(Duration.ofMinutes(10)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withInstance("refund", tenMinutes))
                .withMessageContainingAll("refund", "longestWait PT5M", "firstWait PT10M");

        assertThatIllegalArgumentException()
                .as("also when the defaults come last")
                .isThrownBy(() -> DEFAULTS.withInstance(
                                "payment", breaker(BreakerOverrides.none().withMinimumCalls(10)))
                        .withBreaker(BreakerConfig.defaults().withCountWindow(9, 5)))
                .withMessageContaining("payment");
    }

    @Test
    void aWindowOfTimeMayBeShorterThanItsMinimumOfCalls() {
        assertThat(BreakerConfig.defaults().withTimeWindow(1, 10_000).minimumCalls())
                .isEqualTo(10_000);
    }

    @Test
    void valuesThatMakeNoSenseAreRefused() {
        BreakerConfig breaker = BreakerConfig.defaults();
        RetryConfig retry = RetryConfig.defaults();
        Duration eternity = Duration.ofSeconds(Long.MAX_VALUE);
        Duration second = Duration.ofSeconds(1);
        refused(
                "failureRateThreshold",
                () -> breaker.withFailureRateThreshold(Double.NaN),
                () -> breaker.withFailureRateThreshold(0),
                () -> breaker.withFailureRateThreshold(100.1),
                () -> breaker.withFailureRateThreshold(Double.NEGATIVE_INFINITY),
                // The breaker counts in floats, where this is 0: it would fail with the first call, and not here.
                () -> breaker.withFailureRateThreshold(1e-50),
                () -> BreakerOverrides.none().withFailureRateThreshold(Double.MIN_VALUE),
                () -> BreakerOverrides.none().withFailureRateThreshold(Double.NaN));
        refused(
                "openTime",
                () -> breaker.withOpenTime(Duration.ZERO),
                () -> breaker.withOpenTime(second.negated()),
                () -> breaker.withOpenTime(eternity),
                () -> BreakerOverrides.none().withOpenTime(eternity));
        refused(
                "windowSize",
                () -> breaker.withCountWindow(0, 1),
                () -> breaker.withTimeWindow(-1, 1),
                () -> breaker.withCountWindow(Integer.MAX_VALUE, 5),
                () -> BreakerOverrides.none().withCountWindow(Integer.MAX_VALUE, 5));
        refused("minimumCalls", () -> breaker.withCountWindow(10, 0), () -> breaker.withCountWindow(3, 5));
        refused("halfOpenCalls", () -> breaker.withHalfOpenCalls(0), () -> breaker.withHalfOpenCalls(1 << 30));
        refused(
                "maxAttempts",
                () -> retry.withMaxAttempts(0),
                () -> retry.withMaxAttempts(Integer.MAX_VALUE),
                () -> RetryOverrides.none().withMaxAttempts(-1));
        refused("firstWait", () -> retry.withWaits(Duration.ZERO, second), () -> retry.withWaits(eternity, eternity));
        refused(
                "longestWait",
                () -> retry.withWaits(second, eternity),
                () -> retry.withWaits(second, Duration.ofMillis(999)));
        refused(
                "multiplier",
                () -> retry.withMultiplier(0.9),
                () -> retry.withMultiplier(Double.NaN),
                () -> retry.withMultiplier(Double.POSITIVE_INFINITY));
        refused(
                "jitter",
                () -> retry.withJitter(-0.1),
                () -> retry.withJitter(1.1),
                () -> RetryOverrides.none().withJitter(Double.NaN));
        refused(
                "no name",
                () -> DEFAULTS.withInstance(" ", InstanceConfig.none()),
                () -> DEFAULTS.withInstance("a\nb", InstanceConfig.none()),
                () -> DEFAULTS.withInstance("x".repeat(201), InstanceConfig.none()));
    }

    @Test
    void oneAttemptIsEnough() {
        assertThat(RetryConfig.defaults().withMaxAttempts(1).toPolicy().maxAttempts())
                .isEqualTo(1);
    }

    private static void refused(String setting, ThrowingCallable... attempts) {
        assertThat(List.of(attempts))
                .allSatisfy(attempt -> assertThatIllegalArgumentException()
                        .isThrownBy(attempt)
                        .withMessageContaining(setting)
                        .withMessageMatching("(?s).*; .+\\."));
    }

    private static BreakerConfig count(double rate, Duration open, int minimum, int half, boolean business) {
        return new BreakerConfig(rate, open, WindowType.COUNT, 10, minimum, half, business);
    }

    private static InstanceConfig breaker(BreakerOverrides overrides) {
        return InstanceConfig.none().withBreaker(overrides);
    }

    private static InstanceConfig retry(RetryOverrides overrides) {
        return InstanceConfig.none().withRetry(overrides);
    }
}
