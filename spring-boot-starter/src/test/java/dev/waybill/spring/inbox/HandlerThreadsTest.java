package dev.waybill.spring.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandlerThreadsTest {

    @Test
    void nothingRunsBeforeTheStartAndAfterTheEnd() {
        HandlerThreads threads = new HandlerThreads(1, false, Duration.ofSeconds(10));
        assertThatThrownBy(() -> threads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        threads.start();
        CompletableFuture<String> name = new CompletableFuture<>();
        threads.execute(() -> name.complete(Thread.currentThread().getName()));
        assertThat(name.orTimeout(10, TimeUnit.SECONDS).join()).startsWith("waybill-handler-");
        threads.stop();
        assertThatThrownBy(() -> threads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }
}
