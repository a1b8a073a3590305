package dev.waybill.testkit.transport;

import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with one delivery. Immutable; the factory methods name the usual cases.
 *
 * @param sendTakes    how long the call of {@code send} is held up by this delivery
 * @param sendThrows   whether the call fails here: this delivery and the rest of the batch are not sent
 * @param arrivesAfter when the delivery reaches the target, from the send on; {@code null}: never
 * @param answers      what the relay is told, each at its time; none: it is never told
 */
public record Fault(
        Duration sendTakes, boolean sendThrows, @Nullable Duration arrivesAfter, List<Answer> answers) {

    /**
     * One answer.
     *
     * @param after  how long after the send or, for the target's own result, after that
     * @param result what it says; {@code null}: what the target says
     */
    public record Answer(Duration after, @Nullable DeliveryResult result) {
        private static final Answer OF_TARGET = new Answer(Duration.ZERO, null);
    }

    private static final Fault NONE = new Fault(Duration.ZERO, false, Duration.ZERO, List.of(Answer.OF_TARGET));

    public Fault {
        answers = List.copyOf(answers);
    }

    /** Nothing goes wrong. */
    public static Fault none() {
        return NONE;
    }

    /** It does not arrive, and the relay is told so. */
    public static Fault refused(DeliveryResult result) {
        return new Fault(Duration.ZERO, false, null, List.of(new Answer(Duration.ZERO, result)));
    }

    public static Fault retry(String reason) {
        return refused(DeliveryResult.retry(reason));
    }

    public static Fault rejected(String reason) {
        return refused(DeliveryResult.rejected(reason));
    }

    public static Fault unavailable(String reason) {
        return refused(DeliveryResult.unavailable(reason));
    }

    /** It arrives at once, but the answer takes its time. */
    public static Fault slowAnswer(Duration delay) {
        return NONE.withAnswers(new Answer(delay, null));
    }

    /** It is long on its way. */
    public static Fault slowArrival(Duration delay) {
        return new Fault(Duration.ZERO, false, delay, NONE.answers);
    }

    /** It arrives, but the relay never hears of it. */
    public static Fault lostAnswer() {
        return NONE.withAnswers();
    }

    /** It arrives late, and the relay never hears of it: what was in flight when a connection broke. */
    public static Fault straggler(Duration delay) {
        return new Fault(Duration.ZERO, false, delay, List.of());
    }

    /** It is gone: neither arrival nor answer. */
    public static Fault lostMessage() {
        return new Fault(Duration.ZERO, false, null, List.of());
    }

    /** The call of {@code send} is held up, then all goes well. */
    public static Fault hang(Duration time) {
        return new Fault(time, false, Duration.ZERO, NONE.answers);
    }

    /** It arrives and is answered twice. */
    public static Fault answeredTwice(Duration between) {
        return NONE.withAnswers(Answer.OF_TARGET, new Answer(between, null));
    }

    /** It arrives, and the relay is told this and then that. */
    public static Fault contradiction(DeliveryResult first, Duration between, DeliveryResult second) {
        return NONE.withAnswers(new Answer(Duration.ZERO, first), new Answer(between, second));
    }

    /** The call of {@code send} throws; what came before in the batch has been sent. */
    public static Fault thrown() {
        return new Fault(Duration.ZERO, true, null, List.of());
    }

    private Fault withAnswers(Answer... other) {
        return new Fault(sendTakes, sendThrows, arrivesAfter, List.of(other));
    }
}
