package dev.waybill.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit breaker of one name, which also knows when it will let calls through again. Thread-safe.
 *
 * <p>Who has {@linkplain #enter entered} must leave by exactly one of the other three: a half-open breaker lets only few in,
 * and one that never leaves would keep its place for ever.
 */
final class Breaker {
    private static final Logger log = LoggerFactory.getLogger(Breaker.class);
    private static final Duration NEVER_SLOW = Duration.ofNanos(Long.MAX_VALUE);

    private final CircuitBreaker breaker;
    private final BreakerConfig config;
    private final InstantSource clock;
    private volatile Instant openUntil = Instant.MIN;

    Breaker(String name, BreakerConfig config, CircuitBreakerRegistry registry, InstantSource clock) {
        this.config = config;
        this.clock = clock;
        SlidingWindowType window =
                config.windowType() == WindowType.COUNT ? SlidingWindowType.COUNT_BASED : SlidingWindowType.TIME_BASED;
        this.breaker = registry.circuitBreaker(
                name,
                CircuitBreakerConfig.custom()
                        .failureRateThreshold((float) config.failureRateThreshold())
                        .slidingWindow(config.windowSize(), config.minimumCalls(), window)
                        .permittedNumberOfCallsInHalfOpenState(config.halfOpenCalls())
                        .waitIntervalFunctionInOpenState(times -> open())
                        .ignoreException(failure -> Failures.isIgnored(failure, config.countNonRetryable()))
                        .clock(clock.withZone(ZoneOffset.UTC))
                        .currentTimestampFunction(Breaker::nanos, TimeUnit.NANOSECONDS)
                        // It would open for calls that all take more than a minute, and ours include the waits between
                        // tries.
                        .slowCallDurationThreshold(NEVER_SLOW)
                        .build());
        breaker.getEventPublisher()
                .onStateTransition(event -> changed(event.getStateTransition().getToState()));
    }

    /** Returns when the call began, for the one who leaves; throws if it must not be made. */
    long enter() {
        if (!breaker.tryAcquirePermission()) {
            throw new CircuitOpenException(breaker.getName(), retryAfter());
        }
        return breaker.getCurrentTimestamp();
    }

    void succeeded(long start) {
        breaker.onSuccess(breaker.getCurrentTimestamp() - start, breaker.getTimestampUnit());
    }

    void failed(long start, Throwable failure) {
        breaker.onError(breaker.getCurrentTimestamp() - start, breaker.getTimestampUnit(), failure);
    }

    /**
     * Takes a failure for one of everything and not of the event, if the breaker says that everything fails: the event
     * whose failure opened it, and those that are tried while it is half open, must not become dead letters for it.
     */
    void requireClosed(Throwable failure) {
        boolean counts = failure instanceof Exception && !Failures.isIgnored(failure, config.countNonRetryable());
        if (counts && breaker.getState() != CircuitBreaker.State.CLOSED) {
            throw new CircuitOpenException(breaker.getName(), retryAfter(), failure);
        }
    }

    /** Nobody will know how the call would have ended. */
    void abandoned() {
        breaker.releasePermission();
    }

    /**
     * Resilience4j asks for the open time before the open state can be seen, so that whoever is rejected finds the end of it
     * already set. It lets a call through when more than this has passed: a millisecond less, and "in 10 s" is not too early.
     */
    private long open() {
        openUntil = clock.instant().plus(config.openTime());
        return config.openTime().toMillis() - 1;
    }

    private void changed(CircuitBreaker.State state) {
        if (state == CircuitBreaker.State.OPEN) {
            log.warn("The circuit breaker of {} is open for {}", breaker.getName(), config.openTime());
        } else {
            log.info("The circuit breaker of {} is {}", breaker.getName(), state);
        }
    }

    private Duration retryAfter() {
        Duration left = Duration.between(clock.instant(), openUntil);
        // Half open, with all places taken: they are decided soon, but nobody knows when.
        return left.isNegative() || left.isZero()
                ? config.openTime().dividedBy(10).plusMillis(1)
                : left;
    }

    private static long nanos(Clock clock) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
    }
}
