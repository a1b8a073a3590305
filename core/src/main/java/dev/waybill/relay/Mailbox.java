package dev.waybill.relay;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Where other threads leave something for the relay: answers of transports and wake-ups. Thread-safe. */
final class Mailbox implements DeliveryListener {
    /** The answer to one send. */
    record Answer(long sendId, DeliveryResult result) {}

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    // Set at the start, so that the first step looks into the store.
    private final AtomicBoolean woken = new AtomicBoolean(true);
    private final Queue<CompletableFuture<List<Delivery>>> questions = new ConcurrentLinkedQueue<>();
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

    void wakeUp() {
        woken.set(true);
        bell.run();
    }

    @Nullable
    Answer pollAnswer() {
        return answers.poll();
    }

    boolean hasAnswers() {
        return !answers.isEmpty();
    }

    boolean isEmpty() {
        return answers.isEmpty() && questions.isEmpty();
    }

    /** Whether somebody asked for a look into the store since the last call. Reset before looking, never after. */
    boolean takeWakeUp() {
        return woken.getAndSet(false);
    }

    boolean isWoken() {
        return woken.get();
    }
}
