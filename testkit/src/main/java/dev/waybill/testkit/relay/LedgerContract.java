package dev.waybill.testkit.relay;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.relay.RelayAgent;
import dev.waybill.relay.Route;
import dev.waybill.relay.Routes;
import dev.waybill.store.Entry;
import dev.waybill.store.Shards;
import dev.waybill.testkit.transport.LedgerBroker;
import dev.waybill.testkit.transport.LedgerBroker.Fate;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.LedgerTransport;
import dev.waybill.transport.Term;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promise 4 for transports that keep a ledger: nothing arrives twice, whatever fails. */
abstract class LedgerContract extends RelayRig {
    private static final List<Fate> FATES = List.of(Fate.values());

    private final LedgerBroker broker = new LedgerBroker();

    private RelayAgent exactRelay() {
        return exactRelay(broker.connect());
    }

    private RelayAgent exactRelay(Transport transport) {
        Routes routes = Routes.builder()
                .route(ORDERS, Route.to(transport).withRetry(retry))
                .route(MAILS, Route.to(mails).withRetry(retry))
                .build();
        return relay(fixture.store(), routes);
    }

    private List<String> texts() {
        return broker.arrived().stream()
                .map(delivery -> delivery.event().payload().utf8())
                .toList();
    }

    private static String[] numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(String::valueOf).toArray(String[]::new);
    }

    private static Event[] orders(String key, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> order(key, "" + i)).toArray(Event[]::new);
    }

    private void runEmpty(RelayAgent... relays) {
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(10), relays);
    }

    private static void once(AtomicInteger times, LedgerBroker broker, Fate fate) {
        broker.ruledBy(batch -> times.getAndIncrement() == 0 ? fate : Fate.ARRIVES);
    }

    @Test
    void whatArrivedBeforeACrashAndWasNotSettledIsNotSentAgain() {
        publish(order("a", "1"), order("b", "2"), keyless("3"));
        RelayAgent first = exactRelay();
        holdWrites();
        drain(first);
        assertThat(texts()).containsExactlyInAnyOrder("1", "2", "3");
        assertThat(outbox()).hasSize(3);

        // It never steps again, and nobody writes what it had to write.
        dropWrites();
        publish(order("a", "4"));
        RelayAgent second = exactRelay();
        runEmpty(second);
        assertThat(texts()).containsExactlyInAnyOrder("1", "2", "3", "4");
        assertThat(second.status().delivered()).isEqualTo(4);
    }

    @Test
    void aRelayThatSleptWhileItsSuccessorDeliveredCannotDeliver() {
        publish(order("a", "1"), order("b", "2"));
        RelayAgent first = exactRelay();
        RelayAgent second = exactRelay();
        AtomicInteger batches = new AtomicInteger();
        broker.ruledBy(batch -> {
            if (batches.getAndIncrement() == 0) {
                fixture.passTime(LEASE.plusMillis(1));
                drain(second);
            }
            return Fate.ARRIVES;
        });
        drain(first);
        runEmpty(first, second);
        assertThat(texts()).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void anAnswerThatIsLostIsFoundInTheLedger() {
        AtomicInteger sends = new AtomicInteger();
        once(sends, broker, Fate.ARRIVES_UNHEARD);
        publish(order("a", "1"), order("a", "2"));
        RelayAgent relay = exactRelay();
        runEmpty(relay);
        assertThat(texts()).containsExactly("1", "2");
        assertThat(relay.status().retried()).isZero();
    }

    @Test
    void whatVanishedIsSentAgainWithoutSpendingAnAttempt() {
        AtomicInteger sends = new AtomicInteger();
        once(sends, broker, Fate.VANISHES);
        publish(order("a", "1"), order("a", "2"));
        runEmpty(exactRelay());
        assertThat(texts()).containsExactly("1", "2");
        assertThat(broker.arrived()).allMatch(delivery -> delivery.attempt() == 1);
    }

    @Test
    void aTermThatEndsIsFollowedByOneThatReadsTheLedger() {
        for (Fate fate : List.of(Fate.ENDS, Fate.ARRIVES_AND_ENDS)) {
            AtomicInteger sends = new AtomicInteger();
            once(sends, broker, fate);
            publish(order("a", fate + " 1"), order("a", fate + " 2"));
            runEmpty(exactRelay());
        }
        assertThat(texts()).containsExactly("ENDS 1", "ENDS 2", "ARRIVES_AND_ENDS 1", "ARRIVES_AND_ENDS 2");
    }

    @Test
    void aStoreThatFailsToSettleCausesNoSecondDelivery() {
        FailingStore failing = new FailingStore(fixture.store());
        failing.failBefore("settle");
        publish(order("a", "1"), order("b", "2"));
        Routes routes =
                Routes.builder().route(ORDERS, Route.to(broker.connect())).build();
        RelayAgent relay = relay(failing.proxy(), routes);
        runUntil(() -> texts().size() == 2, Duration.ofSeconds(5), relay);
        runFor(Duration.ofMillis(500), relay);
        failing.heal();
        runEmpty(relay);
        assertThat(texts()).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void entriesOfAKeyGoTogetherInOrder() {
        publish(orders("hot", 40));
        RelayAgent relay = exactRelay();
        runEmpty(relay);
        assertThat(texts()).containsExactly(numbers(1, 40));
        assertThat(broker.batches()).hasSizeLessThan(20);
    }

    @Test
    void nothingPassesARejectedEntryOfItsKey() {
        broker.ruledBy(rejecting("3", DeliveryResult.rejected("planned")));
        publish(orders("a", 6));
        publish(order("b", "other"));
        RelayAgent relay = exactRelay();
        runEmpty(relay);
        assertThat(texts()).containsExactlyInAnyOrder("1", "2", "other");

        broker.ruledBy(batch -> Fate.ARRIVES);
        fixture.deadLetters().release(key("a"), TESTER);
        runUntil(() -> texts().size() == 7, Duration.ofSeconds(5), relay);
        assertThat(texts().stream().filter(text -> !text.equals("other"))).containsExactly(numbers(1, 6));
    }

    @Test
    void nothingPassesAFailedEntryOfItsKey() {
        AtomicInteger tries = new AtomicInteger();
        broker.ruledBy(new LedgerBroker.Rule() {
            @Override
            public Fate fateOf(List<Delivery> batch) {
                return Fate.ARRIVES;
            }

            @Override
            public DeliveryResult resultOf(Delivery delivery) {
                boolean fails = delivery.event().payload().utf8().equals("3") && tries.getAndIncrement() < 2;
                return fails ? DeliveryResult.retry("planned") : DeliveryResult.delivered();
            }
        });
        publish(orders("a", 6));
        RelayAgent relay = exactRelay();
        runEmpty(relay);
        assertThat(texts()).containsExactly(numbers(1, 6));
        assertThat(broker.arrived().get(2).attempt()).isEqualTo(3);
        assertThat(broker.arrived().get(3).attempt()).isEqualTo(1);
        // Nobody waited for answers that do not come.
        assertThat(broker.terms()).isEqualTo(Shards.GROUPS);
    }

    @Test
    void anUnavailableDestinationGetsAllOfItsKeyInOrderLater() {
        broker.ruledBy(rejecting("3", DeliveryResult.unavailable("planned")));
        publish(orders("a", 6));
        RelayAgent relay = exactRelay();
        drain(relay);
        assertThat(texts()).containsExactly("1", "2");
        broker.ruledBy(batch -> Fate.ARRIVES);
        runEmpty(relay);
        assertThat(texts()).containsExactly(numbers(1, 6));
        assertThat(broker.arrived()).allMatch(delivery -> delivery.attempt() == 1);
    }

    private static LedgerBroker.Rule rejecting(String text, DeliveryResult result) {
        return new LedgerBroker.Rule() {
            @Override
            public Fate fateOf(List<Delivery> batch) {
                return Fate.ARRIVES;
            }

            @Override
            public DeliveryResult resultOf(Delivery delivery) {
                return delivery.event().payload().utf8().equals(text) ? result : DeliveryResult.delivered();
            }
        };
    }

    @Test
    void relaysShareWholeGroupsAndHandThemOver() {
        RelayAgent first = exactRelay();
        drain(first);
        assertThat(first.status().ownedShards()).isEqualTo(64);
        RelayAgent second = exactRelay();
        RelayAgent third = exactRelay();
        runUntil(
                () -> second.status().ownedShards() + third.status().ownedShards() == 40,
                LEASE.multipliedBy(5),
                first,
                second,
                third);
        assertThat(List.of(
                        first.status().ownedShards(),
                        second.status().ownedShards(),
                        third.status().ownedShards()))
                .containsExactlyInAnyOrder(24, 24, 16);
        for (int i = 0; i < 100; i++) {
            publish(order("k" + i, "" + i));
        }
        second.beginStop();
        runUntil(() -> outbox().isEmpty() && second.isStopped(), LEASE.multipliedBy(5), first, second, third);
        third.beginStop();
        runUntil(() -> first.status().ownedShards() == 64, LEASE.multipliedBy(5), first, third);
        assertThat(texts()).containsExactlyInAnyOrder(numbers(0, 99));
    }

    @Test
    void otherDestinationsDoNotWaitForALedgerThatCannotBeRead() {
        BegunLater later = new BegunLater(broker.connect());
        publish(order("a", "1"), mail("m", "2"));
        RelayAgent relay = exactRelay(later);
        runUntil(() -> mails.texts().equals(List.of("2")), Duration.ofSeconds(1), relay);
        runFor(Duration.ofSeconds(2), relay);
        assertThat(texts()).isEmpty();

        later.answer();
        runEmpty(relay);
        assertThat(texts()).containsExactly("1");
    }

    @Test
    void aTermThatBeganAfterTheLeaseWasLostDeliversNothing() {
        BegunLater later = new BegunLater(broker.connect());
        publish(order("a", "1"), order("b", "2"));
        RelayAgent first = exactRelay(later);
        drain(first);
        fixture.passTime(LEASE.plusMillis(1));
        RelayAgent second = exactRelay();
        drain(second);
        assertThat(texts()).containsExactlyInAnyOrder("1", "2");

        // The late begin ends the successor's term.
        later.answer();
        publish(order("a", "3"));
        runEmpty(second, first);
        assertThat(texts()).containsExactlyInAnyOrder("1", "2", "3");
    }

    @Test
    void aListedSequenceThatIsAnotherEventsNowIsSent() {
        publish(order("a", "1"));
        Entry entry = outbox().get(0);
        broker.list(new Term.Arrived(entry.shard(), entry.sequence(), UUID.randomUUID()));
        runEmpty(exactRelay());
        assertThat(texts()).containsExactly("1");
    }

    @Test
    void whatArrivedIsSettledBeforeItsKeyIsMovedOutOfTheWay() {
        publish(order("a", "1"));
        RelayAgent first = exactRelay();
        holdWrites();
        drain(first);
        dropWrites();
        fixture.administration().operations().pauseKey(key("a"), TESTER);
        fixture.passTime(LEASE.plusMillis(1));
        BegunLater later = new BegunLater(broker.connect());
        RelayAgent second = exactRelay(later);
        runFor(Duration.ofSeconds(1), second);
        assertThat(outbox()).hasSize(1);
        later.answer();
        runFor(Duration.ofSeconds(1), second);
        assertThat(outbox()).isEmpty();
        fixture.administration().operations().resumeKey(key("a"), TESTER);
        runFor(Duration.ofSeconds(1), second);
        assertThat(texts()).containsExactly("1");
    }

    @Test
    void whateverBefallsTheRelaysEverythingArrivesOnceAndInOrder() {
        for (long seed = 1; seed <= 40; seed++) {
            storm(new SplittableRandom(seed), seed);
        }
    }

    private void storm(RandomGenerator dice, long seed) {
        int before = texts().size();
        List<RelayAgent> relays = new ArrayList<>(List.of(exactRelay(), exactRelay()));
        broker.ruledBy(new LedgerBroker.Rule() {
            @Override
            public Fate fateOf(List<Delivery> batch) {
                return dice.nextInt(10) < 6 ? Fate.ARRIVES : FATES.get(dice.nextInt(FATES.size()));
            }

            @Override
            public DeliveryResult resultOf(Delivery delivery) {
                return switch (dice.nextInt(30)) {
                    case 0 -> DeliveryResult.unavailable("planned");
                    case 1 -> delivery.attempt() < 3 ? DeliveryResult.retry("planned") : DeliveryResult.delivered();
                    default -> DeliveryResult.delivered();
                };
            }
        });
        int published = 0;
        for (int step = 0; step < 400; step++) {
            switch (dice.nextInt(12)) {
                case 0, 1 -> {
                    publish(order("k" + dice.nextInt(5), seed + ":" + published++));
                    publish(order("k" + dice.nextInt(5), seed + ":" + published++));
                }
                case 2 -> fixture.passTime(Duration.ofMillis(dice.nextInt(500)));
                case 3 -> {
                    if (dice.nextInt(8) == 0) {
                        // A crash: it never steps again.
                        relays.set(dice.nextInt(relays.size()), exactRelay());
                    }
                }
                default -> relays.get(dice.nextInt(relays.size())).doWork();
            }
        }
        broker.ruledBy(batch -> Fate.ARRIVES);
        runUntil(() -> outbox().isEmpty(), Duration.ofSeconds(60), relays.toArray(RelayAgent[]::new));
        List<Delivery> arrived = broker.arrived().subList(before, texts().size());
        Set<UUID> ids = new HashSet<>();
        assertThat(arrived)
                .as("seed %s: twice", seed)
                .allMatch(one -> ids.add(one.event().id()));
        assertThat(arrived).as("seed %s: lost", seed).hasSize(published);
        for (int key = 0; key < 5; key++) {
            String name = "k" + key;
            assertThat(arrived.stream()
                            .filter(one -> name.equals(one.event().key()))
                            .map(Delivery::sequence))
                    .as("seed %s: order of %s", seed, name)
                    .isSorted();
        }
        relays.forEach(RelayAgent::beginStop);
        runUntil(
                () -> relays.stream().allMatch(RelayAgent::isStopped),
                Duration.ofSeconds(60),
                relays.toArray(RelayAgent[]::new));
    }

    /** Passes on what it is asked to begin when the test says so. */
    private static final class BegunLater implements LedgerTransport {
        private record Question(int group, CompletableFuture<Term> answer) {}

        private final LedgerTransport transport;
        private final List<Question> questions = new ArrayList<>();
        private boolean answers;

        BegunLater(LedgerTransport transport) {
            this.transport = transport;
        }

        @Override
        public CompletionStage<Term> begin(int group) {
            if (answers) {
                return transport.begin(group);
            }
            questions.add(new Question(group, new CompletableFuture<>()));
            return questions.get(questions.size() - 1).answer;
        }

        void answer() {
            answers = true;
            questions.forEach(question -> transport.begin(question.group).thenAccept(question.answer::complete));
        }

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            transport.send(batch, listener);
        }

        @Override
        public void close() {}
    }
}
