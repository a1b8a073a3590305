package dev.waybill.benchmarks.worker;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Looks at how much of the heap is used, garbage included, and keeps the most. One thread calls it. */
final class HeapWatch {
    private static final long LOOK_NANOS = 50_000_000;

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final AtomicLong most = new AtomicLong();
    private volatile boolean looking;

    void start() {
        most.set(0);
        looking = true;
        Thread thread = new Thread(this::lookOn, "heap-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void lookOn() {
        while (looking) {
            look();
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void look() {
        most.accumulateAndGet(memory.getHeapMemoryUsage().getUsed(), Math::max);
    }

    long stop() {
        looking = false;
        look();
        return most.get();
    }
}
