package dev.waybill.outbox;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** However many publishers there are, one of them counts the backlog in a second. */
public class BacklogGuardConcurrencyTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger counts = new AtomicInteger();
    private final BacklogGuard guard = new BacklogGuard(BacklogLimit.reject(10), this::count, now::get);

    private long count(long atMost) {
        counts.incrementAndGet();
        return 0;
    }

    @Operation
    public void publish() {
        guard.check();
    }

    /** A second later, in which there may be one more count. */
    @Operation
    public void pass() {
        now.addAndGet(SECOND);
    }

    /** How many more counts there were than seconds had begun; never any. */
    @Operation
    public boolean tooMany() {
        int counted = counts.get();
        return counted > now.get() / SECOND + 1;
    }

    @Test
    void theBacklogIsCountedOnceASecond() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .actorsPerThread(3)
                .check(getClass());
    }
}
