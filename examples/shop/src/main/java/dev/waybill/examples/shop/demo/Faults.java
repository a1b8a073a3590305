package dev.waybill.examples.shop.demo;

import dev.waybill.transport.NonRetryableException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Lets payments fail: some orders for good, some once or twice, some slowly, and now and then all of them for a moment;
 * until healed. Thread-safe.
 */
final class Faults implements AutoCloseable {
    // Of so many orders, one has an unknown account, three are flaky and one is slow; in a row that seems to have no
    // rule.
    private static final int LOTS = 100;
    private static final int STRIDE = 37;
    private static final int UNKNOWN = 0;
    private static final int LAST_FLAKY = 3;
    private static final int SLOW = 4;
    private static final long SLOWNESS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Incidents incidents;
    private final RandomGenerator random;
    private final CountDownLatch healed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "demo-outages");
    private final AtomicLong drawn = new AtomicLong();
    // Those that failed and have not been handled since.
    private final Map<UUID, Failing> failing = new ConcurrentHashMap<>();
    private final AtomicLong retries = new AtomicLong();
    private final AtomicLong outages = new AtomicLong();
    private volatile boolean out;

    Faults(Incidents incidents, RandomGenerator random) {
        this.incidents = incidents;
        this.random = random;
        thread.setDaemon(true);
    }

    /** Begins with the outages. */
    void start() {
        thread.start();
    }

    /** To be called before an order takes effect: returns, or lets it fail. */
    void strike(UUID id) throws PaymentFault {
        Failing before = failing.get(id);
        if (before != null) {
            retries.incrementAndGet();
        }
        if (isHealed()) {
            return;
        }
        // Drawn once: the same for an order however often it is tried.
        Failing now = before == null ? new Failing((int) (drawn.getAndIncrement() * STRIDE % LOTS), 0) : before;
        if (out) {
            throw failed(id, now, new PaymentFault("the bank does not answer"));
        }
        if (now.lot == UNKNOWN) {
            throw failed(id, now, new UnknownAccount("the bank does not know the account"));
        }
        if (now.lot <= LAST_FLAKY && now.failures <= now.lot % 2) {
            throw failed(id, now, new PaymentFault("the connection to the bank broke"));
        }
        if (now.lot == SLOW) {
            LockSupport.parkNanos(SLOWNESS);
        }
    }

    void handled(UUID id) {
        failing.remove(id);
    }

    long retries() {
        return retries.get();
    }

    long outages() {
        return outages.get();
    }

    /** Returns when nothing fails any more. */
    @Override
    public void close() {
        healed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isHealed() {
        return healed.getCount() == 0;
    }

    private PaymentFault failed(UUID id, Failing now, PaymentFault fault) {
        failing.put(id, new Failing(now.lot, now.failures + 1));
        return fault;
    }

    private void run() {
        boolean over = pause(1500, 2500);
        while (!over) {
            out = true;
            outages.incrementAndGet();
            incidents.add("the bank of payments is down, everything fails");
            over = pause(1000, 1800);
            out = false;
            incidents.add("the bank of payments is up again");
            over = over || pause(6000, 10_000);
        }
    }

    /** Waits for a time between the two; tells whether the faults are to end. */
    private boolean pause(int fromMillis, int toMillis) {
        try {
            return healed.await(random.nextInt(fromMillis, toMillis), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private record Failing(int lot, int failures) {}

    /** What may work the next time. */
    static class PaymentFault extends Exception {
        private static final long serialVersionUID = 1L;

        PaymentFault(String message) {
            super(message);
        }
    }

    /** A business error. */
    static final class UnknownAccount extends PaymentFault implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        UnknownAccount(String message) {
            super(message);
        }
    }
}
