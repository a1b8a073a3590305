package dev.waybill.transport.kafka;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Receipt;
import dev.waybill.store.StoreException;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.RejectedEventException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of a consumer, and the lock around its {@link Dispatch}. Thread-safe.
 *
 * <p>A worker takes a task under the lock, does it without, and gives the outcome back under the lock. It never touches Kafka.
 */
final class Crew {
    private static final Logger log = LoggerFactory.getLogger(Crew.class);

    private final InboxConsumer<?> consumer;
    private final Dispatch dispatch;
    private final List<Thread> workers = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** For workers: there may be something to do. Whoever takes a task wakes the next one, if there is more. */
    private final Condition work = lock.newCondition();
    /** For the poll thread: something was given back. */
    private final Condition changes = lock.newCondition();

    private boolean stopped;

    Crew(InboxConsumer<?> consumer, Dispatch dispatch, int threads) {
        this.consumer = consumer;
        this.dispatch = dispatch;
        for (int i = 1; i <= threads; i++) {
            Thread worker = new Thread(this::run, "waybill-inbox-" + consumer.name() + "-" + i);
            worker.setDaemon(true);
            workers.add(worker);
        }
    }

    void start() {
        workers.forEach(Thread::start);
    }

    /** Hands out no more tasks: workers end when they have done what is in hand. */
    void stop() {
        change(state -> {
            stopped = true;
            state.stop();
            work.signalAll();
        });
    }

    void add(List<Arrival> arrivals) {
        change(state -> {
            state.add(arrivals);
            work.signal();
        });
    }

    void change(Consumer<Dispatch> action) {
        lock.lock();
        try {
            action.accept(dispatch);
        } finally {
            lock.unlock();
        }
    }

    <R> R ask(Function<Dispatch, R> question) {
        lock.lock();
        try {
            return question.apply(dispatch);
        } finally {
            lock.unlock();
        }
    }

    boolean hasRoom() {
        return ask(state -> state.hasRoom(System.nanoTime()));
    }

    /** Waits until there is room, at most for a while. */
    void awaitRoom(Duration atMost) {
        await(() -> stopped || dispatch.hasRoom(System.nanoTime()), atMost);
    }

    /** Withdraws partitions and waits for what is in hand of them; whether all of it came back. */
    boolean withdraw(Collection<TopicPartition> partitions, Duration patience) {
        change(state -> state.withdraw(partitions));
        return await(() -> !dispatch.isInHand(partitions), patience);
    }

    private boolean await(BooleanSupplier condition, Duration atMost) {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changes.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    Map<TopicPartition, Long> uncommitted(Collection<TopicPartition> partitions) {
        return ask(state -> state.uncommitted(partitions));
    }

    private void run() {
        for (Task task = next(); task != null; task = next()) {
            perform(task);
            // A handler may have left it set, which is its own affair.
            Thread.interrupted();
        }
    }

    private @Nullable Task next() {
        lock.lock();
        try {
            while (!stopped) {
                long now = System.nanoTime();
                Task task = dispatch.take(now);
                if (task != null) {
                    if (dispatch.hasMore()) {
                        work.signal();
                    }
                    return task;
                }
                try {
                    long unused = work.awaitNanos(dispatch.untilDue(now));
                } catch (InterruptedException e) {
                    log.debug("Somebody interrupted a worker of {}; it ends when that is closed", consumer.name());
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void perform(Task task) {
        Consumer<Dispatch> outcome;
        try {
            outcome = task instanceof Task.Check check ? check(check) : give((Task.Handling) task);
        } catch (StoreException e) {
            outcome = state -> state.failed(task, e, System.nanoTime());
        } catch (RuntimeException | Error e) {
            // Whatever it was: a worker that dies would take its lane with it.
            log.error("Consumer {} failed unexpectedly; the event is given to it again", consumer.name(), e);
            outcome = state -> state.failed(task, e, System.nanoTime());
        }
        giveBack(outcome);
    }

    private Consumer<Dispatch> check(Task.Check task) {
        List<Delivery> unseen = consumer.unseen(task.deliveries());
        return state -> state.checked(task, unseen, System.nanoTime());
    }

    private Consumer<Dispatch> give(Task.Handling task) {
        Arrival arrival = task.item().arrival();
        UnreadableRecordException problem = arrival.unreadable();
        Receipt receipt = problem == null ? consumer.accept(arrival.delivery()) : reject(arrival.delivery(), problem);
        return state -> state.answered(task, receipt, System.nanoTime());
    }

    private Receipt reject(Delivery standIn, UnreadableRecordException problem) {
        String reason = String.valueOf(problem.getMessage());
        // Like an event that no handler can read: the consumer's check at the next start knows such dead letters.
        Receipt receipt = consumer.reject(standIn, new RejectedEventException(reason));
        if (receipt.kind() == Receipt.Kind.DEAD) {
            log.warn("Consumer {} has a dead letter: {}", consumer.name(), reason);
        }
        return receipt;
    }

    private void giveBack(Consumer<Dispatch> outcome) {
        change(state -> {
            outcome.accept(state);
            changes.signalAll();
        });
    }
}
