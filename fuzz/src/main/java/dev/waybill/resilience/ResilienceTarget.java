package dev.waybill.resilience;

import dev.waybill.fuzz.Expect;
import dev.waybill.fuzz.FuzzTarget;
import dev.waybill.fuzz.Input;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of breakers and retries: refused with a reason, or they work and keep their own limits. */
public final class ResilienceTarget implements FuzzTarget {

    @Override
    public void check(Input input) {
        String name = input.text();
        ResilienceConfig config;
        try {
            BreakerConfig breaker = breaker(input).over(BreakerConfig.defaults());
            RetryConfig retry = retry(input).over(RetryConfig.defaults());
            InstanceConfig instance = new InstanceConfig(breaker(input), retry(input));
            config = new ResilienceConfig(true, breaker, retry, Map.of(name, instance));
        } catch (IllegalArgumentException e) {
            Expect.refusal(e);
            return;
        }
        checkWaits(config.retryOf(name), Math.max(1, input.integer()), input.fraction());
        checkPolicy(config, name);
        checkCalls(config, name, input.text());
    }

    private static BreakerOverrides breaker(Input input) {
        return new BreakerOverrides(
                fraction(input),
                duration(input),
                input.oneOf(WindowType.COUNT, WindowType.TIME),
                integer(input),
                integer(input),
                integer(input),
                input.flag());
    }

    private static RetryOverrides retry(Input input) {
        return new RetryOverrides(integer(input), duration(input), fraction(input), fraction(input), duration(input));
    }

    private static @Nullable Integer integer(Input input) {
        return input.flag() ? Integer.valueOf(input.integer()) : null;
    }

    private static @Nullable Double fraction(Input input) {
        return input.flag() ? Double.valueOf(input.fraction()) : null;
    }

    private static @Nullable Duration duration(Input input) {
        return input.flag() ? input.duration() : null;
    }

    private static void checkWaits(RetryConfig retry, int failures, double fraction) {
        double chance = Double.isFinite(fraction) ? Math.abs(fraction % 1) : 0;
        long wait = new Backoff(retry, () -> chance).apply(failures);
        Expect.that(wait >= 1, "A wait of " + wait + " ms");
        Expect.that(
                wait <= retry.longestWait().toMillis(),
                "A wait of " + wait + " ms, and at most " + retry.longestWait() + " is allowed");
    }

    private static void checkPolicy(ResilienceConfig config, String name) {
        Expect.equal(
                config.retryOf(name).toPolicy().maxAttempts(),
                config.retryOf(name).maxAttempts(),
                "Attempts");
    }

    /** What is accepted at the start must not fail with the first call. */
    private static void checkCalls(ResilienceConfig config, String name, String message) {
        ResilienceConfig once = new ResilienceConfig(
                true,
                config.breaker(),
                config.retry(),
                Map.of(
                        name,
                        InstanceConfig.none()
                                .withBreaker(overrides(config.breakerOf(name)))
                                .withRetry(RetryOverrides.none().withMaxAttempts(1))));
        try (Resilience resilience = ResilientOperations.create(once, new SimpleMeterRegistry())) {
            Expect.equal(resilience.execute(name, () -> "done"), "done", "What an operation returns");
            try {
                resilience.executeRunnable(name, () -> {
                    throw new IllegalStateException(message);
                });
                Expect.that(false, "A failure is swallowed");
            } catch (CircuitOpenException e) {
                checkOpen(config.breakerOf(name), e);
            } catch (IllegalStateException e) {
                Expect.equal(e.getMessage(), message, "What an operation throws");
            }
        }
    }

    private static void checkOpen(BreakerConfig breaker, CircuitOpenException open) {
        Expect.that(breaker.windowType() == WindowType.TIME || breaker.minimumCalls() == 1, "It opened after one call");
        Expect.that(open.getMessage() != null, "It is refused without a reason");
    }

    private static BreakerOverrides overrides(BreakerConfig all) {
        return new BreakerOverrides(
                all.failureRateThreshold(),
                all.openTime(),
                all.windowType(),
                all.windowSize(),
                all.minimumCalls(),
                all.halfOpenCalls(),
                all.countNonRetryable());
    }
}
