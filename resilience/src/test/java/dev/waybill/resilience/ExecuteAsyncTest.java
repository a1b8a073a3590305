package dev.waybill.resilience;

import static dev.waybill.resilience.Rig.NAME;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.resilience.Rig.Declined;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored")
class ExecuteAsyncTest {
    private final IllegalStateException down = new IllegalStateException("down");

    private Rig rig = new Rig();
    private final List<CompletableFuture<String>> attempts = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aFutureThatFailsLaterIsRetriedAndCounted() {
        for (int call = 0; call < 5; call++) {
            attempts.clear();
            CompletableFuture<String> result = rig.operations.executeAsync(NAME, this::attempt);
            assertThat(result).isNotDone();
            failAll(3);
            assertThat(failure(result)).isSameAs(down);
        }

        assertThat(rig.counted("failed")).isEqualTo(5);
        assertThat(rig.retried("failed_with_retry")).isEqualTo(5);
        assertThat(rig.is("open")).isTrue();
        attempts.clear();
        assertThat(failure(rig.operations.executeAsync(NAME, this::attempt))).isInstanceOf(CircuitOpenException.class);
        assertThat(attempts).isEmpty();
    }

    @Test
    void aFutureThatFailsOnceCountsAsSuccess() {
        CompletableFuture<String> result = rig.operations.executeAsync(NAME, this::attempt);
        failAll(1);
        await().until(() -> attempts.size() == 2);
        attempts.get(1).complete("paid");

        assertThat(result.join()).isEqualTo("paid");
        assertThat(rig.counted("successful")).isEqualTo(1);
        assertThat(rig.retried("successful_with_retry")).isEqualTo(1);
    }

    @Test
    void anOperationThatThrowsIsTheSameAsAFailedFuture() {
        Supplier<CompletableFuture<String>> operation = () -> {
            attempt();
            throw down;
        };

        assertThat(failure(rig.operations.executeAsync(NAME, operation))).isSameAs(down);

        assertThat(attempts).hasSize(3);
        assertThat(rig.counted("failed")).isEqualTo(1);
    }

    @Test
    @SuppressWarnings("NullAway")
    void anOperationWithoutAFutureFails() {
        assertThat(failure(rig.operations.<String>executeAsync(NAME, () -> null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("The operation returned no future.");
    }

    @Test
    void aBusinessErrorIsNeitherRetriedNorCountedHoweverItIsWrapped() {
        Declined declined = new Declined();
        Supplier<CompletionStage<String>> operation = () -> {
            attempt();
            return failedFuture(new CompletionException(declined)).thenApply(String::valueOf);
        };

        assertThat(failure(rig.operations.executeAsync(NAME, operation))).isSameAs(declined);

        assertThat(attempts).hasSize(1);
        assertThat(rig.counted("ignored")).isEqualTo(1);
        assertThat(rig.counted("failed")).isZero();
    }

    @Test
    void cancellingStopsTheRetries() {
        rig = Rig.withLongWaits();
        CompletableFuture<String> result = rig.operations.executeAsync(NAME, this::attempt);
        failAll(1);
        assertThat(rig.operations.waiting()).isEqualTo(1);

        result.cancel(true);

        assertThat(rig.operations.waiting()).as("nothing is left behind").isZero();
        assertThat(attempts).hasSize(1);
        assertThat(rig.counted("failed") + rig.counted("successful")).isZero();
    }

    @Test
    void cancellingReachesTheAttemptThatIsUnderWay() {
        CompletableFuture<String> result = rig.operations.executeAsync(NAME, this::attempt);

        result.cancel(true);

        assertThat(attempts)
                .singleElement()
                .satisfies(attempt -> assertThat(attempt).isCancelled());
        assertThat(rig.retried("failed_with_retry") + rig.retried("failed_without_retry"))
                .isZero();
    }

    @Test
    void aStageThatCannotBeCancelledIsLeftAlone() {
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<String> result = rig.operations.executeAsync(NAME, inner::minimalCompletionStage);

        result.cancel(true);

        inner.completeExceptionally(down);
        assertThat(result).isCancelled();
        assertThat(rig.operations.waiting()).isZero();
    }

    @Test
    void aCancelledCallGivesItsPlaceInAHalfOpenBreakerBack() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10));
        for (int call = 0; call < 10; call++) {
            rig.operations.executeAsync(NAME, this::attempt).cancel(true);
        }

        assertThat(attempts).as("none was rejected").hasSize(10);
        assertThat(rig.is("half_open")).isTrue();
    }

    @Test
    void aHalfOpenBreakerLetsNoMoreThroughThanItIsTold() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10));
        List<CompletableFuture<String>> results = new ArrayList<>();
        for (int call = 0; call < 4; call++) {
            results.add(rig.operations.executeAsync(NAME, this::attempt));
        }

        assertThat(attempts).hasSize(3);
        assertThat(failure(results.get(3)))
                .isInstanceOfSatisfying(
                        CircuitOpenException.class,
                        rejected -> assertThat(rejected.retryAfter())
                                .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2)));
        attempts.forEach(attempt -> attempt.complete("paid"));
        assertThat(rig.is("closed")).isTrue();
    }

    @Test
    void aTimeOutOfTheCallerIsAFailureAndStopsTheRetries() {
        rig = Rig.withLongWaits();
        CompletableFuture<String> result =
                rig.operations.executeAsync(NAME, this::attempt).orTimeout(1, TimeUnit.MILLISECONDS);

        assertThat(failure(result)).isInstanceOf(TimeoutException.class);

        await().until(() -> rig.counted("failed") == 1);
        assertThat(attempts).singleElement().satisfies(attempt -> await().until(attempt::isCancelled));
        assertThat(rig.operations.waiting()).isZero();
    }

    @Test
    void anyNumberOfCallsWaitsOnOneThread() {
        rig = Rig.withLongWaits();
        for (int call = 0; call < 500; call++) {
            // Successes in between keep the breaker closed.
            rig.operations.executeAsync(NAME, () -> CompletableFuture.completedFuture("paid"));
            rig.operations.executeAsync(NAME, () -> failedFuture(down));
        }

        assertThat(rig.operations.waiting()).isEqualTo(500);
        assertThat(timers())
                .singleElement()
                .satisfies(thread -> assertThat(thread.isDaemon()).isTrue());
    }

    @Test
    void closingEndsTheWaitsWithTheLastFailureAndItsThread() {
        rig = Rig.withLongWaits();
        CompletableFuture<String> waiting = rig.operations.executeAsync(NAME, () -> failedFuture(down));
        CompletableFuture<String> running = rig.operations.executeAsync(NAME, this::attempt);

        rig.close();

        assertThat(failure(waiting)).isSameAs(down);
        assertThat(running).isNotDone();
        failAll(1);
        assertThat(failure(running)).as("not retried any more").isSameAs(down);
        await().until(() -> timers().isEmpty());
    }

    @Test
    void anOperationThatBlocksDoesNotHoldUpTheRetriesOfOthers() {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocks = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        CompletableFuture<String> blocked = rig.operations.executeAsync("blocking", () -> {
            if (tries.incrementAndGet() == 1) {
                return failedFuture(down);
            }
            blocks.countDown();
            awaitUninterruptibly(release);
            return CompletableFuture.completedFuture("late");
        });
        awaitUninterruptibly(blocks);

        assertThat(failure(rig.operations.executeAsync(NAME, () -> failedFuture(down))))
                .isSameAs(down);
        release.countDown();
        assertThat(blocked.join()).isEqualTo("late");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private CompletableFuture<String> attempt() {
        CompletableFuture<String> future = new CompletableFuture<>();
        attempts.add(future);
        return future;
    }

    /** Lets so many attempts fail, each after it was made. */
    private void failAll(int count) {
        for (int made = 1; made <= count; made++) {
            int size = made;
            await().until(() -> attempts.size() == size);
            attempts.get(made - 1).completeExceptionally(down);
        }
    }

    private static List<Thread> timers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("waybill-resilience"))
                .toList();
    }

    /** What the future itself failed with, as a callback sees it. */
    private static Throwable failure(CompletableFuture<?> future) {
        return future.handle((value, failure) -> failure)
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }
}
