package dev.waybill.resilience;

import static dev.waybill.resilience.Rig.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waybill.inbox.DeferredException;
import dev.waybill.resilience.Rig.Declined;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecuteTest {
    private Rig rig = new Rig();
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aFailureThatPassesCountsAsSuccess() {
        String answer = rig.operations.execute(NAME, () -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("passing");
            }
            return "paid";
        });

        assertThat(answer).isEqualTo("paid");
        assertThat(calls).hasValue(2);
        assertThat(rig.counted("successful")).isEqualTo(1);
        assertThat(rig.counted("failed")).isZero();
        assertThat(rig.retried("successful_with_retry")).isEqualTo(1);
    }

    @Test
    void theOperationsOwnExceptionComesOutWhenNoTryIsLeft() {
        IllegalStateException down = new IllegalStateException("down");

        assertThatThrownBy(() -> rig.operations.execute(NAME, failing(down))).isSameAs(down);

        assertThat(calls).hasValue(3);
        assertThat(rig.counted("failed")).as("one call, whatever its tries").isEqualTo(1);
        assertThat(rig.retried("failed_with_retry")).isEqualTo(1);
    }

    @Test
    void aRunnableIsTriedAgainToo() {
        rig.operations.executeRunnable(NAME, () -> {
            if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("passing");
            }
        });

        assertThat(calls).hasValue(3);
    }

    @Test
    void oneAttemptMeansNoRetry() {
        rig = new Rig(Rig.CONFIG.withRetry(RetryConfig.defaults().withMaxAttempts(1)));

        assertThatIllegalStateException()
                .isThrownBy(() -> rig.operations.execute(NAME, failing(new IllegalStateException())));

        assertThat(calls).hasValue(1);
    }

    @Test
    void aHundredPercentOfBusinessErrorsLeaveTheBreakerClosed() {
        for (int call = 0; call < 100; call++) {
            assertThatExceptionOfType(Declined.class)
                    .isThrownBy(() -> rig.operations.execute(NAME, failing(new Declined())));
        }

        assertThat(calls).as("none was retried").hasValue(100);
        assertThat(rig.is("closed")).isTrue();
        assertThat(rig.counted("ignored")).isEqualTo(100);
        assertThat(rig.counted("failed")).isZero();
        assertThat(rig.counted("successful")).isZero();
    }

    @Test
    void businessErrorsOpenTheBreakerOnlyIfTheyAreToCount() {
        rig = new Rig(Rig.CONFIG.withBreaker(BreakerConfig.defaults().withCountNonRetryable(true)));
        for (int call = 0; call < 5; call++) {
            assertThatExceptionOfType(Declined.class)
                    .isThrownBy(() -> rig.operations.execute(NAME, failing(new Declined())));
        }

        assertThat(calls).hasValue(5);
        assertThat(rig.is("open")).isTrue();
    }

    @Test
    void aBusinessErrorIsKnownInsideTheWrappersOfFutures() {
        RuntimeException wrapped = new CompletionException(new ExecutionException(new Declined()));

        assertThatThrownBy(() -> rig.operations.execute(NAME, failing(wrapped))).isSameAs(wrapped);

        assertThat(calls).hasValue(1);
        assertThat(rig.counted("ignored")).isEqualTo(1);
    }

    @Test
    void aWrapperAroundNothingIsAnOrdinaryFailure() {
        CompletionException empty = new CompletionException("nothing in it", null);

        assertThatThrownBy(() -> rig.operations.execute(NAME, failing(empty))).isSameAs(empty);

        assertThat(calls).hasValue(3);
        assertThat(rig.counted("failed")).isEqualTo(1);
    }

    @Test
    void anOpenBreakerDefersAndRunsNothing() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(4));

        assertThatExceptionOfType(CircuitOpenException.class)
                .isThrownBy(() -> rig.operations.execute(NAME, calls::incrementAndGet))
                .isInstanceOf(DeferredException.class)
                .satisfies(rejected -> {
                    assertThat(rejected.operation()).isEqualTo(NAME);
                    assertThat(rejected.retryAfter()).isEqualTo(Duration.ofSeconds(6));
                })
                .withMessageContaining("PT6S");
        assertThatExceptionOfType(CircuitOpenException.class)
                .isThrownBy(() -> rig.operations.executeRunnable(NAME, calls::incrementAndGet));
        assertThat(calls).hasValue(0);
        assertThat(rig.operations.execute("refund", calls::incrementAndGet))
                .as("other names go on")
                .isEqualTo(1);
    }

    @Test
    void whoComesBackWhenToldIsLetThroughAndClosesTheBreaker() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10).minusMillis(1));
        CircuitOpenException rejected = rejection();
        assertThat(rejected.retryAfter()).isEqualTo(Duration.ofMillis(1));

        rig.clock.advance(rejected.retryAfter());
        for (int call = 0; call < 3; call++) {
            rig.operations.execute(NAME, calls::incrementAndGet);
        }

        assertThat(calls).hasValue(3);
        assertThat(rig.is("closed")).isTrue();
    }

    @Test
    void aBreakerThatOpensAgainCountsItsTimeAnew() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10));
        for (int call = 0; call < 3; call++) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> rig.operations.execute(NAME, failing(new IllegalStateException())));
        }

        assertThat(rig.is("open")).isTrue();
        assertThat(rejection().retryAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void evenAnErrorGivesItsPlaceInAHalfOpenBreakerBack() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10));
        for (int call = 0; call < 3; call++) {
            assertThatExceptionOfType(StackOverflowError.class)
                    .isThrownBy(() -> rig.operations.execute(NAME, () -> {
                        calls.incrementAndGet();
                        throw new StackOverflowError();
                    }));
        }

        assertThat(calls).as("an error is not retried").hasValue(3);
        assertThat(rig.is("open")).as("it was counted").isTrue();
    }

    @Test
    void aBreakerFurtherInIsNeitherRetriedNorCounted() {
        rig.openBreaker();
        for (int call = 0; call < 10; call++) {
            assertThatExceptionOfType(CircuitOpenException.class)
                    .isThrownBy(() -> rig.operations.execute("order", () -> {
                        calls.incrementAndGet();
                        return rig.operations.execute(NAME, () -> "paid");
                    }))
                    .satisfies(rejected -> assertThat(rejected.operation()).isEqualTo(NAME));
        }

        assertThat(calls).hasValue(10);
    }

    @Test
    void aWindowOfTimeForgets() {
        rig = new Rig(Rig.CONFIG.withBreaker(BreakerConfig.defaults().withTimeWindow(10, 5)));
        for (int call = 0; call < 8; call++) {
            rig.clock.advance(Duration.ofSeconds(3));
            assertThatIllegalStateException()
                    .isThrownBy(() -> rig.operations.execute(NAME, failing(new IllegalStateException())));
        }
        assertThat(rig.is("closed")).as("never five in ten seconds").isTrue();

        assertThatIllegalStateException()
                .isThrownBy(() -> rig.operations.execute(NAME, failing(new IllegalStateException())));
        assertThat(rig.is("open")).isTrue();
    }

    @Test
    void slowSuccessesAreSuccesses() {
        for (int call = 0; call < 20; call++) {
            rig.operations.executeRunnable(NAME, () -> rig.clock.advance(Duration.ofHours(1)));
        }

        assertThat(rig.counted("successful")).isEqualTo(20);
        assertThat(rig.is("closed")).isTrue();
    }

    @Test
    void anInterruptEndsTheWaiting() {
        rig = Rig.withLongWaits();
        IllegalStateException down = new IllegalStateException("down");

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> rig.operations.execute(NAME, failing(down))).isSameAs(down);

        assertThat(Thread.interrupted()).as("the thread still knows").isTrue();
        assertThat(calls).hasValue(1);
        assertThat(rig.counted("failed")).isEqualTo(1);
    }

    @Test
    void namesThatAreNoneAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.operations.execute(" ", () -> 1))
                .withMessageContaining("use 1 to 200 printable characters");
    }

    @Test
    void idsInNamesAreRefusedBeforeTheyFillTheMemory() {
        for (int name = 0; name < Named.MOST; name++) {
            rig.operations.execute("order-" + name, () -> 1);
        }

        assertThatIllegalStateException()
                .isThrownBy(() -> rig.operations.execute("one-more", () -> 1))
                .withMessageContaining("leave ids of single calls out of it");
        assertThat(rig.operations.<Integer>execute("order-1", () -> 2)).isEqualTo(2);
    }

    @Test
    void whatIsClosedRefuses() {
        rig.operations.execute(NAME, () -> 1);
        rig.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> rig.operations.execute(NAME, calls::incrementAndGet))
                .withMessageContaining("close them after whatever uses them");
        assertThat(calls).hasValue(0);
    }

    private CircuitOpenException rejection() {
        return catchThrowableOfType(CircuitOpenException.class, () -> rig.operations.execute(NAME, () -> 1));
    }

    private Supplier<String> failing(RuntimeException failure) {
        return () -> {
            calls.incrementAndGet();
            throw failure;
        };
    }
}
