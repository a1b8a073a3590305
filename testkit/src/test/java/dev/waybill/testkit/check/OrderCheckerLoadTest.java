package dev.waybill.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.EventId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class OrderCheckerLoadTest {
    private static final int WRITERS = 4;
    private static final int EVENTS_EACH = 20_000;

    private final OrderChecker checker = new OrderChecker();

    @Test
    void writersAndConsumersMayWorkInParallel() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            String key = "k" + i;
            BlockingQueue<UUID> wire = new LinkedBlockingQueue<>();
            threads.add(new Thread(() -> write(key, wire)));
            threads.add(new Thread(() -> consume(wire)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        Verdict verdict = checker.verdict();
        assertThat(verdict.holds()).as("%s", verdict).isTrue();
        assertThat(verdict.delivered()).isEqualTo(WRITERS * EVENTS_EACH);
        assertThat(verdict.duplicates()).isEqualTo(WRITERS * EVENTS_EACH / 100);
    }

    @Test
    void settledIdsAreKnownAndOthersAreNot() {
        SettledIds ids = new SettledIds();
        List<UUID> added = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            added.add(EventId.next());
        }
        added.forEach(ids::add);

        assertThat(added).allMatch(ids::contains);
        long mistaken = 0;
        for (int i = 0; i < 50_000; i++) {
            mistaken += ids.contains(EventId.next()) ? 1 : 0;
        }
        assertThat(mistaken).isLessThan(500);
    }

    private void write(String key, BlockingQueue<UUID> wire) {
        for (int i = 0; i < EVENTS_EACH; i++) {
            UUID id = EventId.next();
            CheckedTransaction transaction = checker.begin();
            transaction.inserting(id, "orders", key);
            transaction.committing();
            // On the wire before the writer knows: what a fast relay does.
            wire.add(id);
            transaction.committed();
        }
    }

    private void consume(BlockingQueue<UUID> wire) {
        try {
            for (int i = 0; i < EVENTS_EACH; i++) {
                UUID id = wire.take();
                checker.delivered(id);
                if (i % 100 == 0) {
                    checker.delivered(id);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
