package dev.waybill.resilience;

import static dev.waybill.resilience.Rig.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import dev.waybill.resilience.Rig.Declined;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A caller that gives up at the moment at which the attempt ends. */
class AsyncRaceTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.waybill.resilience");
    private static final int ROUNDS = 10_000;

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final CyclicBarrier together = new CyclicBarrier(2);

    @BeforeEach
    void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void close() {
        LOG.setLevel(null);
        executor.shutdownNow();
    }

    @Test
    void theBreakerHearsOfTheEndOnce() throws Exception {
        try (Rig rig = new Rig()) {
            rig.openBreaker();
            rig.clock.advance(Duration.ofSeconds(10));
            for (int round = 0; round < ROUNDS; round++) {
                race(rig, new Declined());
            }

            // Neither end is counted, so that it is still half open and has its three places: no more, no fewer.
            for (int call = 0; call < 3; call++) {
                assertThat(rig.operations.executeAsync(NAME, CompletableFuture<String>::new))
                        .isNotDone();
            }
            assertThat(rig.operations.executeAsync(NAME, CompletableFuture<String>::new))
                    .isCompletedExceptionally();
        }
    }

    @Test
    void nothingIsLeftWaiting() throws Exception {
        try (Rig rig = Rig.withLongWaits()) {
            for (int round = 0; round < ROUNDS; round++) {
                race(rig, new IllegalStateException("down"));
            }

            assertThat(rig.operations.waiting()).isZero();
            assertThat(rig.counted("failed") + rig.counted("successful")).isZero();
        }
    }

    /** Between the attempt's failure and its next try, and before the breaker has heard of the cancellation. */
    @Test
    void aCancellationInTheMiddleOfAFailureIsNotCounted() throws Exception {
        try (Rig rig = Rig.withLongWaits()) {
            CompletableFuture<String> attempt = new CompletableFuture<>();
            CompletableFuture<String> result = rig.operations.executeAsync(NAME, () -> attempt);
            CountDownLatch failed = new CountDownLatch(1);
            // Callbacks run last come, first served: this one keeps the breaker's from running.
            CompletableFuture<String> slowCallback = result.whenComplete((value, failure) -> await(failed));
            Appender<ILoggingEvent> cancelsAtTheWarning = new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent line) {
                    executor.execute(() -> result.cancel(true));
                    Awaitility.await().until(result::isDone);
                }
            };
            cancelsAtTheWarning.start();
            LOG.setLevel(Level.WARN);
            LOG.addAppender(cancelsAtTheWarning);

            attempt.completeExceptionally(new IllegalStateException("down"));

            LOG.detachAppender(cancelsAtTheWarning);
            failed.countDown();
            Awaitility.await().until(slowCallback::isDone);
            executor.shutdown();
            assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(rig.counted("failed")).isZero();
            assertThat(rig.operations.waiting()).isZero();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void race(Rig rig, RuntimeException failure) throws Exception {
        CompletableFuture<String> attempt = new CompletableFuture<>();
        CompletableFuture<String> result = rig.operations.executeAsync(NAME, () -> attempt);
        Future<Boolean> ends = executor.submit(() -> {
            together.await();
            return attempt.completeExceptionally(failure);
        });
        Future<Boolean> givesUp = executor.submit(() -> {
            together.await();
            return result.cancel(true);
        });
        ends.get(30, TimeUnit.SECONDS);
        givesUp.get(30, TimeUnit.SECONDS);
        assertThat(result).isDone();
    }
}
