package dev.waybill.transport.kafka;

import dev.waybill.inbox.Receipt;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Decides which record is handled next, and how far each partition has come: a step function without threads or a clock.
 *
 * <p>It owns all state between reading a record and committing its offset: the lanes (records by event key, whatever
 * the topic), what is in hand, what waits, the partitions' {@link Progress} and the {@link Brake}. Not thread-safe: the
 * {@link Crew} calls it under its lock. Times are nanoseconds like those of {@link System#nanoTime}.
 *
 * <p>A record is counted in flight from {@link #add} until it is taken, or dropped because its partition is taken away. Of a
 * lane one record is in hand at a time, and nothing of a lane passes it. An offset stays open until its record is taken, also
 * if that was dropped: so what is committed never passes a record that nobody took.
 */
final class Dispatch {
    /** For how long a lane waits at least whose event somebody else is at. */
    static final Duration SHORTEST_WAIT = Duration.ofMillis(10);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final Brake brake;
    private final int fullAt;
    private final int roomAt;
    private final Map<TopicPartition, Progress> partitions = new HashMap<>();
    /** Those that have something, by name. Each is in hand, ready or waiting. */
    private final Map<Object, Lane> lanes = new HashMap<>();

    private final Queue<Lane> ready = new ArrayDeque<>();
    private final PriorityQueue<Lane> waiting =
            new PriorityQueue<>((one, other) -> Long.compare(one.dueAt - other.dueAt, 0));
    /** Polls that are not in lanes yet: the first is to be checked, and what was read after it must not pass it. */
    private final Deque<Task.Check> unchecked = new ArrayDeque<>();

    private boolean checking;
    private int inFlight;
    private int inHand;
    private boolean full;
    private boolean stopped;

    /**
     * Starts with no partitions.
     *
     * @param maxInFlight how many records there may be
     * @param pollSize    how many records a poll may bring: there is room when that many still fit
     */
    Dispatch(Brake brake, int maxInFlight, int pollSize) {
        this.brake = brake;
        fullAt = maxInFlight - pollSize + 1;
        roomAt = Math.min(maxInFlight / 2, fullAt - 1);
    }

    void assigned(Collection<TopicPartition> added) {
        added.forEach(partition -> partitions.put(partition, new Progress()));
    }

    /** Takes what was read, in the order of each partition. What is of no assigned partition is none of ours. */
    void add(List<Arrival> arrivals) {
        List<Lane.Item> items = new ArrayList<>(arrivals.size());
        boolean suspect = !unchecked.isEmpty();
        for (Arrival arrival : arrivals) {
            Progress from = partitions.get(arrival.partition());
            if (from != null && !from.withdrawn) {
                from.read(arrival.offset());
                suspect |= from.suspect;
                items.add(new Lane.Item(arrival, from));
            }
        }
        inFlight += items.size();
        if (suspect && !items.isEmpty()) {
            unchecked.add(new Task.Check(items));
        } else {
            items.forEach(this::enqueue);
        }
    }

    private void enqueue(Lane.Item item) {
        String key = item.arrival().delivery().event().key();
        Object name = key == null ? new Object() : key;
        Lane lane = lanes.computeIfAbsent(name, Lane::new);
        lane.items.add(item);
        if (lane.items.size() == 1 && !lane.inHand) {
            ready.add(lane);
        }
    }

    /** Whether the next poll may bring records. Once full, half of them have to be gone before it does. */
    boolean hasRoom(long now) {
        full = inFlight >= (full ? roomAt + 1 : fullAt);
        return !full && !brake.holds(now);
    }

    /** What to do next; {@code null}: nothing, for {@link #untilDue} at least or until something changes. */
    @Nullable
    Task take(long now) {
        if (stopped || !brake.permits(inHand, now)) {
            return null;
        }
        Task.Check check = unchecked.peek();
        if (check != null && !checking) {
            checking = true;
            inHand++;
            return check;
        }
        Lane lane = nextLane(now);
        if (lane == null) {
            return null;
        }
        Lane.Item item = lane.items.remove();
        lane.inHand = true;
        item.from().inHand++;
        inHand++;
        return new Task.Handling(lane, item);
    }

    private @Nullable Lane nextLane(long now) {
        for (Lane due = waiting.peek(); due != null && due.dueAt - now <= 0; due = waiting.peek()) {
            ready.add(waiting.remove());
        }
        return ready.poll();
    }

    /** Whether another worker should look what there is, now or soon. */
    boolean hasMore() {
        return !ready.isEmpty() || !waiting.isEmpty() || !unchecked.isEmpty();
    }

    /** When there may be something to do that there is not now. */
    long untilDue(long now) {
        if (brake.holds(now)) {
            return brake.remaining(now);
        }
        Lane first = waiting.peek();
        // While no more may be in hand, the next change is that something comes back; who waited here would spin.
        return first == null || !brake.permits(inHand, now) ? Long.MAX_VALUE : Math.max(1, first.dueAt - now);
    }

    /** The consumer answered. */
    void answered(Task.Handling task, Receipt receipt, long now) {
        Lane.Item item = task.item();
        end(task);
        if (receipt.isTaken()) {
            task.lane().failures = 0;
            taken(item);
            item.from().suspect |= receipt.kind() == Receipt.Kind.DUPLICATE;
            if (receipt.kind() != Receipt.Kind.IGNORED) {
                brake.succeeded(now);
            }
            settle(task.lane(), Duration.ZERO, now);
            return;
        }
        again(task);
        if (receipt.kind() == Receipt.Kind.DEFERRED) {
            brake.deferred(receipt.retryAfter(), now);
            settle(task.lane(), Duration.ZERO, now);
        } else {
            settle(task.lane(), atLeast(SHORTEST_WAIT, receipt.retryAfter()), now);
        }
    }

    /** Those of a check that are not among the unseen were taken before, or come a second time. */
    void checked(Task.Check task, List<Delivery> unseen, long now) {
        inHand--;
        checking = false;
        unchecked.remove();
        Set<Delivery> fresh = Collections.newSetFromMap(new IdentityHashMap<>());
        fresh.addAll(unseen);
        task.items().forEach(item -> item.from().suspect = false);
        for (Lane.Item item : task.items()) {
            if (item.from().withdrawn) {
                inFlight--;
            } else if (fresh.contains(item.arrival().delivery())) {
                enqueue(item);
            } else {
                taken(item);
                item.from().suspect = true;
            }
        }
        brake.succeeded(now);
    }

    /**
     * Nothing is known about what was tried. All wait; the lane that failed longer than others, and then behind them: if it is
     * only its event that the store cannot take, the others go on.
     */
    void failed(Task task, Throwable failure, long now) {
        brake.failed(failure, now);
        if (task instanceof Task.Handling handling) {
            end(handling);
            again(handling);
            Lane lane = handling.lane();
            lane.failures++;
            settle(lane, Brake.pause(lane.failures), now);
        } else {
            inHand--;
            checking = false;
        }
    }

    private void end(Task.Handling task) {
        inHand--;
        task.item().from().inHand--;
        task.lane().inHand = false;
    }

    private void taken(Lane.Item item) {
        inFlight--;
        item.from().taken(item.arrival().offset());
    }

    private void again(Task.Handling task) {
        if (task.item().from().withdrawn) {
            inFlight--;
        } else {
            task.lane().items.addFirst(task.item());
        }
    }

    private void settle(Lane lane, Duration delay, long now) {
        if (lane.items.isEmpty()) {
            lanes.remove(lane.name);
        } else if (delay.isZero()) {
            ready.add(lane);
        } else {
            lane.dueAt = now + delay.toNanos();
            waiting.add(lane);
        }
    }

    /** Handles nothing more of these partitions. What is in hand may end, and counts until they are forgotten. */
    void withdraw(Collection<TopicPartition> taken) {
        Set<Progress> gone = new HashSet<>();
        for (TopicPartition partition : taken) {
            Progress progress = partitions.get(partition);
            if (progress != null) {
                progress.withdrawn = true;
                gone.add(progress);
            }
        }
        Iterator<Lane> all = lanes.values().iterator();
        while (all.hasNext()) {
            Lane lane = all.next();
            int before = lane.items.size();
            lane.items.removeIf(item -> gone.contains(item.from()));
            inFlight -= before - lane.items.size();
            if (lane.items.isEmpty() && !lane.inHand) {
                ready.remove(lane);
                waiting.remove(lane);
                all.remove();
            }
        }
    }

    /** Whether something of these partitions is in hand. */
    boolean isInHand(Collection<TopicPartition> some) {
        return some.stream().map(partitions::get).anyMatch(progress -> progress != null && progress.inHand > 0);
    }

    /** Leaves these partitions to others. What is in hand of them may end, and does not count any more. */
    void forget(Collection<TopicPartition> taken) {
        withdraw(taken);
        taken.forEach(partitions::remove);
    }

    /** Hands nothing out any more. */
    void stop() {
        stopped = true;
    }

    Set<TopicPartition> partitions() {
        return Set.copyOf(partitions.keySet());
    }

    /** The positions of these partitions that are not committed yet. */
    Map<TopicPartition, Long> uncommitted(Collection<TopicPartition> some) {
        Map<TopicPartition, Long> positions = new HashMap<>();
        for (TopicPartition partition : some) {
            Progress progress = partitions.get(partition);
            if (progress != null && !progress.isCommitted()) {
                progress.position().ifPresent(position -> positions.put(partition, position));
            }
        }
        return positions;
    }

    void committed(Map<TopicPartition, Long> positions) {
        positions.forEach((partition, position) -> {
            Progress progress = partitions.get(partition);
            if (progress != null) {
                progress.committed(position);
            }
        });
    }

    int inFlight() {
        return inFlight;
    }

    int inHand() {
        return inHand;
    }

    boolean isHeldBack() {
        return brake.isOn();
    }

    private static Duration atLeast(Duration least, Duration wanted) {
        Duration wait = wanted.compareTo(least) < 0 ? least : wanted;
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }
}
