package dev.waybill.examples.shop.demo;

import dev.waybill.event.Event;
import dev.waybill.examples.shop.demo.Snapshot.Counts;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts while the shop runs. What it keeps does not grow with the number of orders: those under way, the last one of each
 * customer, and some that were rolled back. The verdict is the {@link Audit}'s. Thread-safe.
 */
final class Ledger {
    private static final Pattern ORDER_ID = Pattern.compile("\"orderId\":(\\d+)");
    private static final int ROLLBACKS_KEPT = 10_000;

    private final OrderTimes times;
    private final Set<Long> lastRolledBack = Collections.synchronizedSet(Collections.newSetFromMap(new Recent()));
    private final Map<Lane, Long> lastOfLane = new ConcurrentHashMap<>();
    private final LongAdder written = new LongAdder();
    private final LongAdder rolledBack = new LongAdder();
    private final LongAdder undecided = new LongAdder();
    private final LongAdder effects = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder ghosts = new LongAdder();
    private final LongAdder outOfOrder = new LongAdder();

    Ledger(OrderTimes times) {
        this.times = times;
    }

    /** To be called within the transaction. */
    void placing(long order) {
        times.placing(order);
    }

    void committed(long order) {
        written.increment();
        times.committed(order);
    }

    void rolledBack(long order) {
        rolledBack.increment();
        times.forget(order);
        lastRolledBack.add(order);
    }

    /** The commit failed, and only the database knows what became of it. */
    void undecided(long order) {
        undecided.increment();
        times.forget(order);
    }

    /** An order that failed before it had a number. */
    void failed() {
        rolledBack.increment();
    }

    /** A consumer's transaction for an event has committed. */
    void tookEffect(String consumer, Event event) {
        long order = order(event);
        effects.increment();
        if (lastRolledBack.contains(order)) {
            ghosts.increment();
        }
        Long last = lastOfLane.put(new Lane(consumer, event.destination(), String.valueOf(event.key())), order);
        if (last != null && last > order) {
            outOfOrder.increment();
        }
        if (consumer.equals("inventory")) {
            times.tookEffect(order);
        }
        if (consumer.equals("orders")) {
            ended.increment();
            times.ended(order);
        }
    }

    Counts soFar(long duplicates) {
        return new Counts(written.sum(), rolledBack.sum(), ended.sum(), duplicates, ghosts.sum(), outOfOrder.sum());
    }

    /** How many took effect, in all services together. */
    long effects() {
        return effects.sum();
    }

    long undecided() {
        return undecided.sum();
    }

    private static long order(Event event) {
        Matcher id = ORDER_ID.matcher(new String(event.payload().bytes(), StandardCharsets.UTF_8));
        if (!id.find()) {
            throw new IllegalStateException("An event of type " + event.type() + " without an order");
        }
        return Long.parseLong(id.group(1));
    }

    /** Events of one destination and customer, at one consumer: they keep their order. */
    private record Lane(String consumer, String destination, String customer) {}

    private static final class Recent extends LinkedHashMap<Long, Boolean> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > ROLLBACKS_KEPT;
        }
    }
}
