package dev.waybill.benchmarks.peers;

import com.gruelbox.transactionoutbox.TransactionOutbox;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that process entries of gruelbox, and the one that flushes. Safe for many threads. */
final class GruelboxWorkers {
    static final int THREADS = 16;
    static final int QUEUE = 16_384;

    private static final int IDLE_MILLIS = 20;

    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            THREADS, THREADS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), Threads.daemons("gruelbox"));
    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService flusher = Executors.newSingleThreadExecutor(Threads.daemons("gruelbox-flush"));

    GruelboxWorkers(TransactionOutbox outbox, int flushBatch) {
        flusher.execute(() -> flush(outbox, flushBatch));
    }

    void submit(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            // The queue is full, or this is the end: the row stays, and flush finds it.
        }
    }

    /** Prepares the next batch while the threads work on the one before. */
    private void flush(TransactionOutbox outbox, int flushBatch) {
        try {
            boolean more = true;
            while (!end.await(more ? 0 : IDLE_MILLIS, TimeUnit.MILLISECONDS)) {
                more = executor.getQueue().size() > flushBatch ? pause() : outbox.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean pause() throws InterruptedException {
        return !end.await(1, TimeUnit.MILLISECONDS);
    }

    /** Ends when what runs has ended; what is queued stays in the table. */
    void stop() {
        end.countDown();
        flusher.shutdown();
        Threads.await(flusher);
        executor.shutdown();
        executor.getQueue().clear();
        Threads.await(executor);
    }
}
