package dev.waybill.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultyTransportTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTimer timer = new VirtualTimer();
    private final RecordingTransport target = new RecordingTransport();
    private final Results results = new Results();
    private long sends;

    @Test
    void withoutFaultsItIsItsTarget() {
        Delivery delivery = delivery();
        transport(Fault.none()).send(List.of(delivery), results);

        assertThat(target.arrived()).containsExactly(delivery);
        assertThat(results.seen()).containsExactly(new Seen(delivery, DeliveryResult.delivered()));
    }

    @Test
    void refusalsAreToldAndDoNotArrive() {
        transport(Fault.retry("busy"), Fault.rejected("bad"), Fault.unavailable("down"))
                .send(List.of(delivery(), delivery(), delivery()), results);

        assertThat(target.arrived()).isEmpty();
        assertThat(resultsSeen())
                .containsExactly(
                        DeliveryResult.retry("busy"),
                        DeliveryResult.rejected("bad"),
                        DeliveryResult.unavailable("down"));
    }

    @Test
    void aSlowAnswerComesLongAfterTheArrival() {
        transport(Fault.slowAnswer(SECOND)).send(List.of(delivery()), results);
        assertThat(target.arrived()).hasSize(1);
        assertThat(results.seen()).isEmpty();

        timer.advance(SECOND);
        assertThat(resultsSeen()).containsExactly(DeliveryResult.delivered());
    }

    @Test
    void aSlowArrivalIsAnsweredWhenItArrives() {
        transport(Fault.slowArrival(SECOND)).send(List.of(delivery()), results);
        assertThat(target.arrived()).isEmpty();

        timer.advance(SECOND);
        assertThat(target.arrived()).hasSize(1);
        assertThat(results.seen()).hasSize(1);
    }

    @Test
    void answersAndMessagesGetLost() {
        Delivery answerLost = delivery();
        Delivery messageLost = delivery();
        Delivery straggler = delivery();
        transport(Fault.lostAnswer(), Fault.lostMessage(), Fault.straggler(SECOND))
                .send(List.of(answerLost, messageLost, straggler), results);
        assertThat(target.arrived()).containsExactly(answerLost);

        timer.advance(SECOND);
        assertThat(target.arrived()).containsExactly(answerLost, straggler);
        assertThat(results.seen()).isEmpty();
    }

    @Test
    void answersComeTwiceOrContradictEachOther() {
        DeliveryResult retry = DeliveryResult.retry("no, it failed");
        transport(Fault.answeredTwice(SECOND), Fault.contradiction(DeliveryResult.delivered(), SECOND, retry))
                .send(List.of(delivery(), delivery()), results);
        assertThat(resultsSeen()).containsExactly(DeliveryResult.delivered(), DeliveryResult.delivered());

        timer.advance(SECOND);
        assertThat(resultsSeen().skip(2)).containsExactly(DeliveryResult.delivered(), retry);
        assertThat(target.arrived()).hasSize(2);
    }

    @Test
    void aSendThrowsAfterPartOfTheBatch() {
        Delivery sent = delivery();
        FaultyTransport transport = transport(Fault.none(), Fault.thrown());
        assertThatThrownBy(() -> transport.send(List.of(sent, delivery(), delivery()), results))
                .hasMessageContaining("as planned");

        assertThat(target.arrived()).containsExactly(sent);
        assertThat(results.seen()).hasSize(1);
    }

    @Test
    void aSendHangs() {
        transport(Fault.hang(SECOND)).send(List.of(delivery()), results);

        assertThat(timer.now).isEqualTo(SECOND);
        assertThat(results.seen()).hasSize(1);
    }

    @Test
    void anOutageConcernsOneDestinationUntilItEnds() {
        FaultyTransport transport = transport();
        transport.takeDown("orders");
        transport.send(List.of(delivery()), results);
        Delivery other = new Delivery(Event.to("payments").type("t").build(), 1, 1, 0, 99);
        transport.send(List.of(other), results);
        assertThat(target.arrived()).containsExactly(other);
        assertThat(results.seen().get(0).result()).isInstanceOf(DeliveryResult.Unavailable.class);

        transport.bringUp("orders");
        transport.send(List.of(delivery()), results);
        assertThat(target.arrived()).hasSize(2);
    }

    @Test
    void aClosedTransportAnswersNoMore() {
        FaultyTransport transport = transport(Fault.slowAnswer(SECOND));
        transport.send(List.of(delivery()), results);
        transport.close();
        timer.advance(SECOND);

        assertThat(results.seen()).isEmpty();
    }

    @Test
    void theSameSeedGivesTheSameFaults() {
        assertThat(faults(7)).isEqualTo(faults(7)).isNotEqualTo(faults(8));
        assertThat(faults(7).stream().filter(Fault.none()::equals).count()).isBetween(50L, 90L);
    }

    @Test
    void inRealTimeDelaysPassByThemselves() {
        try (FaultyTransport transport =
                new FaultyTransport(target, FaultPlan.script(Fault.slowAnswer(Duration.ofMillis(20))))) {
            transport.send(List.of(delivery()), results);
            await().until(() -> results.seen().size() == 1);
            assertThat(target.arrivedIds()).hasSize(1);
        }
    }

    private FaultyTransport transport(Fault... faults) {
        return new FaultyTransport(target, FaultPlan.script(faults), timer);
    }

    private Delivery delivery() {
        return new Delivery(
                Event.to("orders").key("k").type("t").id(new UUID(1, ++sends)).build(), sends, 1, 0, sends);
    }

    private Stream<DeliveryResult> resultsSeen() {
        return results.seen().stream().map(Seen::result);
    }

    private List<Fault> faults(long seed) {
        FaultPlan plan = FaultPlan.random(new SplittableRandom(seed), 0.3, Fault.lostAnswer(), Fault.thrown());
        return Stream.generate(this::delivery).limit(100).map(plan::next).toList();
    }

    /** Time that passes when the test says so. */
    private static final class VirtualTimer implements Timer {
        private record Task(Duration at, Runnable action) {}

        private final List<Task> tasks = new ArrayList<>();
        private Duration now = Duration.ZERO;

        @Override
        public void schedule(Duration delay, Runnable action) {
            tasks.add(new Task(now.plus(delay), action));
        }

        @Override
        public void block(Duration time) {
            advance(time);
        }

        void advance(Duration time) {
            now = now.plus(time);
            List<Task> due = tasks.stream()
                    .filter(task -> task.at.compareTo(now) <= 0)
                    .sorted(Comparator.comparing(Task::at))
                    .toList();
            tasks.removeAll(due);
            due.forEach(task -> task.action.run());
        }
    }
}
