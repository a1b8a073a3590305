package dev.waybill.resilience;

import static dev.waybill.resilience.Rig.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.DeferredException;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.resilience.Rig.Declined;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandlerGuardTest {
    private final Rig rig = new Rig();
    private final HandlerGuard guard = rig.operations.guard();
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aFailedHandlerIsNotRunAgainAndItsExceptionIsUnchanged() {
        IOException down = new IOException("down");

        assertThatThrownBy(() -> guard.run(NAME, () -> {
                    calls.incrementAndGet();
                    throw down;
                }))
                .isSameAs(down);

        assertThat(calls).hasValue(1);
        assertThat(rig.counted("failed")).isEqualTo(1);
        assertThat(rig.meters.find("resilience4j.retry.calls").meters())
                .as("retries are the store's")
                .isEmpty();
    }

    @Test
    void anOpenBreakerDefersTheEventsOfItsConsumerOnly() throws Exception {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(3));

        assertThatExceptionOfType(DeferredException.class)
                .isThrownBy(() -> guard.run(NAME, calls::incrementAndGet))
                .satisfies(deferred -> assertThat(deferred.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
        assertThat(calls).hasValue(0);

        guard.run("mailer", calls::incrementAndGet);
        assertThat(calls).hasValue(1);
    }

    @Test
    void whatFailsWhileTheBreakerIsNotClosedIsDeferredAndNotBlamed() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10));
        IOException down = new IOException("still down");

        for (int probe = 0; probe < 3; probe++) {
            assertThatExceptionOfType(DeferredException.class)
                    .isThrownBy(() -> guard.run(NAME, () -> {
                        calls.incrementAndGet();
                        throw down;
                    }))
                    .withCause(down);
        }

        assertThat(calls).as("a half-open breaker tries").hasValue(3);
        assertThat(rig.is("open")).isTrue();
    }

    @Test
    void aBusinessErrorIsOneWhateverTheBreakerSays() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10));

        assertThatExceptionOfType(Declined.class)
                .isThrownBy(() -> guard.run(NAME, () -> {
                    throw new Declined();
                }));
    }

    @Test
    void businessErrorsOfHandlersLeaveTheBreakerClosed() {
        for (int event = 0; event < 50; event++) {
            assertThatExceptionOfType(Declined.class)
                    .isThrownBy(() -> guard.run(NAME, () -> {
                        throw new Declined();
                    }));
        }

        assertThat(rig.is("closed")).isTrue();
    }

    @Test
    void aHalfOpenBreakerLetsFewHandlersRunAtATime() throws Exception {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10));

        guard.run(
                NAME,
                () -> guard.run(
                        NAME,
                        () -> guard.run(NAME, () -> {
                            calls.incrementAndGet();
                            assertThatExceptionOfType(DeferredException.class)
                                    .isThrownBy(() -> guard.run(NAME, calls::incrementAndGet))
                                    .satisfies(deferred ->
                                            assertThat(deferred.retryAfter()).isPositive());
                        })));

        assertThat(calls).hasValue(1);
        assertThat(rig.is("closed")).isTrue();
    }

    @Test
    void theRetryPolicyOfAConsumerIsThatOfItsName() {
        ResilienceConfig config = ResilienceConfig.defaults()
                .withInstance(
                        "mailer",
                        InstanceConfig.none().withRetry(RetryOverrides.none().withMaxAttempts(20)));
        RetryPolicy expected = new RetryPolicy(20, Duration.ofMillis(500), Duration.ofMinutes(5));

        try (Rig on = new Rig(config)) {
            assertThat(on.operations.retryPolicy("mailer")).isEqualTo(expected);
            assertThat(on.operations.retryPolicy("other").maxAttempts()).isEqualTo(3);
        }
        assertThat(new DirectOperations(config).retryPolicy("mailer")).isEqualTo(expected);
    }
}
