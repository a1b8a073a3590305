package dev.waybill.transport.kafka;

import dev.waybill.event.Event;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.check.CheckedTransaction;
import dev.waybill.testkit.check.OrderChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Writes small transactions all the time, some hundred events a second, and tells an order checker about each. */
final class Shop implements AutoCloseable {
    private static final int KEYS = 100;

    private final MemoryOutboxStore store;
    private final String destination;
    private final Runnable afterCommit;
    private final OrderChecker checker = new OrderChecker();
    private final AtomicLong written = new AtomicLong();
    private final Random random = new Random(7);
    private final ScheduledExecutorService clerk = Executors.newSingleThreadScheduledExecutor();

    Shop(MemoryOutboxStore store, String destination, Runnable afterCommit) {
        this.store = store;
        this.destination = destination;
        this.afterCommit = afterCommit;
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    void open() {
        clerk.scheduleAtFixedRate(this::sell, 0, 4, TimeUnit.MILLISECONDS);
    }

    private void sell() {
        List<Event> events = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            events.add(Event.to(destination)
                    .key("order-" + random.nextInt(KEYS))
                    .type("OrderPlaced")
                    .payload(new byte[200])
                    .build());
        }
        CheckedTransaction checked = checker.begin();
        try (MemoryTransaction transaction = store.begin()) {
            checked.inserting(events);
            store.append(transaction, events, Set.of());
            checked.committing();
            transaction.commit();
        }
        checked.committed();
        written.addAndGet(events.size());
        afterCommit.run();
    }

    long written() {
        return written.get();
    }

    OrderChecker checker() {
        return checker;
    }

    /** Ends after the transaction that is under way. */
    @Override
    public void close() {
        clerk.shutdown();
        try {
            if (!clerk.awaitTermination(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The shop did not close.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
