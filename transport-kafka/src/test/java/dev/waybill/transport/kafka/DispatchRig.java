package dev.waybill.transport.kafka;

import dev.waybill.event.Event;
import dev.waybill.inbox.Receipt;
import dev.waybill.testkit.ManualClock;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A dispatch with a clock that stands still. Records are written as "key@offset"; "@offset" has no key. */
final class DispatchRig {
    static final TopicPartition P0 = new TopicPartition("orders", 0);
    static final TopicPartition P1 = new TopicPartition("orders", 1);

    final ManualClock clock = new ManualClock();
    final Dispatch dispatch;

    DispatchRig(int workers, int maxInFlight, int pollSize) {
        dispatch = new Dispatch(new Brake("mailer", workers), maxInFlight, pollSize);
    }

    /** Assigns a partition whose records are known to be new. */
    void assign(TopicPartition partition) {
        dispatch.assigned(Set.of(partition));
        read(partition, "@0");
        check();
        handle(Receipt.Kind.HANDLED, "@0");
    }

    void read(TopicPartition partition, String... records) {
        dispatch.add(
                Arrays.stream(records).map(record -> arrival(partition, record)).toList());
    }

    static Arrival arrival(TopicPartition partition, String record) {
        String key = record.substring(0, record.indexOf('@'));
        long offset = Long.parseLong(record.substring(record.indexOf('@') + 1));
        Event.Builder event = Event.to("orders").type("OrderPlaced");
        if (!key.isEmpty()) {
            event.key(key);
        }
        return new Arrival(partition, offset, new Delivery(event.build(), offset, 1, 0, 0), null);
    }

    long now() {
        return clock.getAsLong();
    }

    void advance(Duration by) {
        clock.advance(by);
    }

    @Nullable
    Task take() {
        return dispatch.take(now());
    }

    /** Takes what is to be handled next. */
    Task.Handling next() {
        if (take() instanceof Task.Handling handling) {
            return handling;
        }
        throw new AssertionError("There is nothing to handle.");
    }

    /** Takes all that may be handled now. */
    List<Task.Handling> all() {
        List<Task.Handling> all = new ArrayList<>();
        for (Task task = take(); task != null; task = take()) {
            all.add((Task.Handling) task);
        }
        return all;
    }

    /** Takes a check and answers that all are new. */
    void check() {
        Task.Check check = nextCheck();
        dispatch.checked(check, check.deliveries(), now());
    }

    Task.Check nextCheck() {
        if (take() instanceof Task.Check check) {
            return check;
        }
        throw new AssertionError("There is nothing to check.");
    }

    void handle(Receipt.Kind kind, String expected) {
        Task.Handling task = next();
        if (!name(task).equals(expected)) {
            throw new AssertionError("Expected " + expected + ", got " + name(task));
        }
        answer(task, kind);
    }

    void answer(Task.Handling task, Receipt.Kind kind) {
        dispatch.answered(task, Receipt.of(kind), now());
    }

    void answer(Task.Handling task, Receipt.Kind kind, Duration retryAfter) {
        dispatch.answered(task, new Receipt(kind, retryAfter), now());
    }

    static String name(Task.Handling task) {
        Arrival arrival = task.item().arrival();
        String key = arrival.delivery().event().key();
        return (key == null ? "" : key) + "@" + arrival.offset();
    }

    static List<String> names(List<Task.Handling> tasks) {
        return tasks.stream().map(DispatchRig::name).toList();
    }

    Map<TopicPartition, Long> uncommitted() {
        return dispatch.uncommitted(dispatch.partitions());
    }
}
