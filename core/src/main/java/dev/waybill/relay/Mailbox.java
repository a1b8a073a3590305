package dev.waybill.relay;

import dev.waybill.store.ShardSet;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Where other threads leave something for the relay: answers of transports and of the store, and wake-ups. Thread-safe. */
final class Mailbox implements DeliveryListener {
    /** The answer to one send. */
    record Answer(long sendId, DeliveryResult result) {}

    /** How the writing of a batch of outcomes ended: with the shards that were lost, or with a failure. */
    record Written(Set<Integer> lost, @Nullable Throwable failure) {}

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    // The bits of a ShardSet. All at the start, so that the first step looks into the store.
    private final AtomicLong woken = new AtomicLong(ShardSet.ALL.bits());
    private final Queue<CompletableFuture<List<Delivery>>> questions = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Written> written = new AtomicReference<>();
    private volatile Runnable bell = () -> {};

    /** What to run when something has been left, for instance to end the sleep of the relay's thread. */
    void onArrival(Runnable ring) {
        bell = ring;
    }

    @Override
    public void onResult(Delivery delivery, @Nullable DeliveryResult result) {
        // A transport that answers nothing has not said that the event arrived.
        answers.add(new Answer(
                delivery.sendId(),
                result == null ? DeliveryResult.retry("The transport answered without a result") : result));
        bell.run();
    }

    /** Something was left elsewhere that the relay should look at. */
    void ring() {
        bell.run();
    }

    /** The batch that was being written is done with; there is one at a time. */
    void written(Written result) {
        written.set(result);
        bell.run();
    }

    @Nullable
    Written pollWritten() {
        return written.getAndSet(null);
    }

    /** Asks the relay what is in flight; answered with its next step. */
    CompletableFuture<List<Delivery>> ask() {
        CompletableFuture<List<Delivery>> question = new CompletableFuture<>();
        questions.add(question);
        bell.run();
        return question;
    }

    @Nullable
    CompletableFuture<List<Delivery>> pollQuestion() {
        return questions.poll();
    }

    void wakeUp(ShardSet shards) {
        woken.accumulateAndGet(shards.bits(), (before, added) -> before | added);
        bell.run();
    }

    @Nullable
    Answer pollAnswer() {
        return answers.poll();
    }

    boolean hasAnswers() {
        return !answers.isEmpty();
    }

    /** Whether there is nothing but perhaps answers. */
    boolean isQuiet() {
        return questions.isEmpty() && written.get() == null;
    }

    /** Where somebody asked for a look into the store since the last call. Reset before looking, never after. */
    ShardSet takeWakeUp() {
        return new ShardSet(woken.getAndSet(0));
    }

    boolean isWoken() {
        return woken.get() != 0;
    }
}
