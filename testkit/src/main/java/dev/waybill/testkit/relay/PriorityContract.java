package dev.waybill.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.relay.RelayAgent;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who goes first when the relay cannot do everything at once: here the mails, with a higher priority than orders. */
abstract class PriorityContract extends RelayRig {
    private static final int BACKLOG = 3000;
    private static final int ANSWERS_AT_A_TIME = 20;

    private int answered;

    @BeforeEach
    void mailsFirst() {
        config = config.withWindow(64).withBatchSize(32);
        mailsPriority = 1;
    }

    @Test
    void aHigherPriorityOvertakesABacklogThatIsWorkedOffSlowly() {
        orders.answeringNothing();
        publish(backlog(BACKLOG, i -> order("k" + i, "" + i)));
        RelayAgent relay = relay();
        runUntil(() -> ordersAnswered() >= 200, Duration.ofSeconds(2), relay);
        publish(mail("m", "urgent"));
        runUntil(() -> ordersAnswered() >= BACKLOG || mails.sent().size() == 1, Duration.ofSeconds(5), relay);
        assertThat(mails.texts()).containsExactly("urgent");
        assertThat(orders.sent()).as("it did not wait for them").hasSizeLessThan(BACKLOG / 4);
        runUntil(() -> ordersAnswered() == BACKLOG, Duration.ofSeconds(5), relay);
    }

    @Test
    void aHigherPriorityOvertakesABacklogOfFewKeysThatKeepTheirOrder() {
        int keys = 40;
        orders.answeringNothing();
        publish(backlog(BACKLOG, i -> order("k" + i % keys, "" + i)));
        RelayAgent relay = relay();
        runUntil(() -> ordersAnswered() >= 200, Duration.ofSeconds(2), relay);
        publish(mail("m", "urgent"));
        runUntil(() -> ordersAnswered() >= BACKLOG || mails.sent().size() == 1, Duration.ofSeconds(5), relay);
        assertThat(orders.sent()).as("it did not wait for them").hasSizeLessThan(BACKLOG / 4);
        runUntil(() -> ordersAnswered() == BACKLOG, Duration.ofSeconds(5), relay);
        for (int key = 0; key < keys; key++) {
            int number = key;
            assertThat(orders.texts().stream().map(Integer::valueOf).filter(i -> i % keys == number))
                    .hasSize(BACKLOG / keys)
                    .isSorted();
        }
    }

    @Test
    void aHigherPriorityDoesNotWaitForAWindowThatIsFull() {
        config = config.withDeliveryTimeout(Duration.ofMinutes(1));
        orders.answeringNothing();
        RelayAgent relay = relay();
        drain(relay);
        // One by one, so that there is never a backlog: all that a destination may have in hand, and nothing else.
        for (int i = 0; i < 48; i++) {
            publish(order("k" + i, "" + i));
            drain(relay);
        }
        assertThat(orders.sent()).hasSize(48);
        publish(mail("m", "urgent"));
        // At once: no time passes in which the relay could lose its patience.
        drain(relay);
        assertThat(mails.texts()).containsExactly("urgent");
    }

    @Test
    void ofTwoBacklogsTheHigherPriorityIsWorkedOffFirstAndTheOtherGetsALittle() {
        AtomicInteger ordersBefore = countOrdersBeforeMails();
        publish(backlog(1000, i -> order("k" + i, "" + i)));
        publish(backlog(1000, i -> mail("k" + i, "" + i)));
        drain(relay());
        assertThat(mails.sent()).hasSize(1000);
        assertThat(orders.sent()).hasSize(1000);
        assertThat(ordersBefore).hasValueBetween(20, 300);
    }

    /** How many orders had been sent when the last mail was. */
    private AtomicInteger countOrdersBeforeMails() {
        AtomicInteger ordersBefore = new AtomicInteger();
        mails.answering(delivery -> {
            ordersBefore.set(orders.sent().size());
            return Optional.of(DeliveryResult.delivered());
        });
        return ordersBefore;
    }

    @Test
    void aHigherPriorityThatNeverAnswersLeavesTheOthersAPartOfTheWindow() {
        config = config.withDeliveryTimeout(Duration.ofMinutes(1));
        mails.answeringNothing();
        publish(backlog(500, i -> mail("k" + i, "" + i)));
        publish(backlog(200, i -> order("k" + i, "" + i)));
        runUntil(() -> orders.sent().size() == 200, Duration.ofSeconds(2), relay());
    }

    @Test
    void whatIsReadyTogetherIsSentByPriority() {
        config = config.withWindow(1000).withBatchSize(1000);
        AtomicInteger ordersBefore = countOrdersBeforeMails();
        publish(order("a", "1"), mail("a", "1"), order("b", "2"), mail("b", "2"));
        drain(relay());
        assertThat(orders.sent()).hasSize(2);
        assertThat(mails.sent()).hasSize(2);
        assertThat(ordersBefore).hasValue(0);
    }

    /** The oldest of the unanswered orders get their answers, some at a time; returns how many have theirs. */
    private int ordersAnswered() {
        int until = Math.min(orders.sent().size(), answered + ANSWERS_AT_A_TIME);
        while (answered < until) {
            orders.answer(answered++, DeliveryResult.delivered());
        }
        return answered;
    }

    private static Event[] backlog(int count, IntFunction<Event> event) {
        return IntStream.range(0, count).mapToObj(event).toArray(Event[]::new);
    }
}
