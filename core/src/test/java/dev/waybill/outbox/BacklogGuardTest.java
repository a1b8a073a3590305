package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BacklogGuardTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicLong pending = new AtomicLong();
    private final AtomicInteger counts = new AtomicInteger();
    private boolean fails;

    private BacklogGuard guard(BacklogLimit limit) {
        return new BacklogGuard(limit, this::count, now::get);
    }

    private long count(long atMost) {
        counts.incrementAndGet();
        if (fails) {
            throw new StoreException("out of reach", null);
        }
        return Math.min(atMost, pending.get());
    }

    @Test
    void withoutALimitNothingIsCounted() {
        guard(BacklogLimit.none()).check();
        assertThat(counts).hasValue(0);
    }

    @Test
    void beyondTheLimitEventsAreRefusedUntilTheBacklogIsSmaller() {
        BacklogGuard guard = guard(BacklogLimit.reject(10));
        pending.set(10);
        assertThatCode(guard::check).doesNotThrowAnyException();
        pass(1000);
        pending.set(11);
        assertThatThrownBy(guard::check)
                .isInstanceOfSatisfying(
                        OutboxLimitException.class, e -> assertThat(e.limit()).isEqualTo("backlog"))
                .hasMessageContaining("More than 10 events");
        pending.set(0);
        pass(1000);
        assertThatCode(guard::check).doesNotThrowAnyException();
    }

    @Test
    void theLargestLimitIsOne() {
        BacklogGuard guard = new BacklogGuard(
                BacklogLimit.reject(Long.MAX_VALUE),
                atMost -> {
                    assertThat(atMost).isPositive();
                    return 7;
                },
                now::get);
        assertThatCode(guard::check).doesNotThrowAnyException();
    }

    @Test
    void itIsCountedOnceASecond() {
        BacklogGuard guard = guard(BacklogLimit.reject(10));
        for (int i = 0; i < 100; i++) {
            guard.check();
        }
        assertThat(counts).hasValue(1);
        pass(999);
        guard.check();
        assertThat(counts).hasValue(1);
        pass(1);
        guard.check();
        assertThat(counts).hasValue(2);
    }

    @Test
    void aWarningRefusesNothing() {
        BacklogGuard guard = guard(BacklogLimit.warn(10));
        pending.set(1000);
        assertThatCode(guard::check).doesNotThrowAnyException();
    }

    @Test
    void aCountThatFailsRefusesNothing() {
        BacklogGuard guard = guard(BacklogLimit.reject(10));
        fails = true;
        assertThatCode(guard::check).doesNotThrowAnyException();
    }

    @Test
    void aNegativeLimitIsRefused() {
        assertThatThrownBy(() -> BacklogLimit.reject(-1)).hasMessageContaining("-1");
    }

    private void pass(long millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}
