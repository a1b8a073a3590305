package dev.waybill.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.relay.RelayAgent;
import dev.waybill.store.ShardSet;
import dev.waybill.store.Shards;
import dev.waybill.testkit.store.StoreFixture;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a relay reads when it is told where something was committed: that, and the rest with its next poll. */
abstract class WakeUpContract extends RelayRig {
    private static final Duration NEVER = Duration.ofHours(1);

    // Two keys of different shards.
    private static Event a(String text) {
        return order("a", text);
    }

    private static Event b(String text) {
        return order("b", text);
    }

    private static void work(RelayAgent relay, Event committed) {
        relay.wakeUp(ShardSet.of(List.of(committed)));
        while (relay.doWork() > 0) {
            // all that can be done at this time
        }
    }

    @Test
    void theShardsThatAWakeUpNamesAreReadAndNoOthers() {
        config = config.withPollInterval(NEVER);
        RelayAgent relay = relay();
        drain(relay);
        publish(a("a1"));
        publish(b("b1"));

        work(relay, a("a1"));
        assertThat(orders.texts()).containsExactly("a1");

        work(relay, b("b1"));
        assertThat(orders.texts()).containsExactly("a1", "b1");
    }

    @Test
    void aRelayThatIsBusyWithOneShardPollsTheOthersAllTheSame() {
        RelayAgent relay = relay();
        drain(relay);
        publish(b("nobody tells of it"));

        for (int i = 0; i < 20; i++) {
            publish(a("a" + i));
            work(relay, a("a" + i));
            fixture.passTime(POLL.dividedBy(10));
        }

        assertThat(orders.texts()).contains("nobody tells of it");
    }

    @Test
    void aLateCommitIsFoundAlthoughOnlyOtherShardsWereReadSinceItsTransactionEnded() {
        config = config.withPollInterval(NEVER);
        RelayAgent relay = relay();
        drain(relay);
        try (StoreFixture.Transaction late = publishOpen(a("late"))) {
            publish(a("early"));
            work(relay, a("early"));
            late.commit();
        }
        for (int i = 0; i < 3; i++) {
            publish(b("b" + i));
            work(relay, b("b" + i));
        }
        assertThat(orders.texts()).containsExactly("early", "b0", "b1", "b2");

        work(relay, a("late"));
        assertThat(orders.texts()).containsExactly("early", "b0", "b1", "b2", "late");
    }

    @Test
    void aLateCommitIsFoundAlthoughItsShardIsReadAgainAndAgainMeanwhile() {
        config = config.withPollInterval(NEVER);
        RelayAgent relay = relay();
        drain(relay);
        try (StoreFixture.Transaction late = publishOpen(a("late"))) {
            for (int i = 0; i < 3; i++) {
                publish(a("a" + i), b("b" + i));
                work(relay, a(""));
                work(relay, b(""));
            }
            late.commit();
        }

        work(relay, a("late"));
        assertThat(orders.texts()).hasSize(7).endsWith("late");
    }

    @Test
    void whatIsCommittedAfterTheRestOfABacklogWasReadAheadIsLookedForAtOnce() {
        config = config.withPollInterval(NEVER).withBatchSize(4).withWindow(64);
        orders.answeringNothing();
        Event[] backlog = IntStream.range(0, 10_000)
                .mapToObj(i -> order("k" + i, "k" + i))
                .filter(event -> Shards.of(event) == Shards.of(a("")))
                .limit(20)
                .toArray(Event[]::new);
        RelayAgent relay = relay();
        drain(relay);
        publish(backlog);
        relay.wakeUp(ShardSet.of(List.of(backlog)));
        while (orders.sent().size() < 16) {
            relay.doWork();
        }

        // The rest of the backlog has been read by now, and is not yet taken in hand.
        publish(a("new"));
        work(relay, a("new"));

        assertThat(orders.texts()).hasSize(21).contains("new");
    }

    @Test
    void aSteadyStreamOfAnswersLetsThePollHaveItsTurn() {
        Event[] many = new Event[30];
        Arrays.setAll(many, i -> keyless("n" + i));
        publish(many);
        orders.answeringNothing();
        RelayAgent relay = relay();
        drain(relay);
        holdWrites();
        publish(b("nobody tells of it"));
        fixture.passTime(POLL);

        for (int i = 0; i < 20; i++) {
            orders.answer(i, DeliveryResult.delivered());
            relay.doWork();
            finishWrites();
        }

        assertThat(orders.texts()).contains("nobody tells of it");
    }
}
