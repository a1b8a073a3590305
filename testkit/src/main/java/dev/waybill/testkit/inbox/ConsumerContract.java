package dev.waybill.testkit.inbox;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.Correction;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.event.Payload;
import dev.waybill.inbox.DeferredException;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHandler;
import dev.waybill.inbox.InboxTransport;
import dev.waybill.inbox.Receipt;
import dev.waybill.inbox.Receipt.Kind;
import dev.waybill.testkit.store.InParallel;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.RejectedEventException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * What happens when a consumer fails, on every store, as tests. An implementation adds a subclass that supplies an
 * {@link InboxFixture}.
 *
 * @param <T> the transaction
 */
public abstract class ConsumerContract<T> extends ConsumerTestBase<T> {

    @Test
    void aFailedEventIsTriedAgainAndTheLaterOnesOfItsKeyFollowInOrder() {
        InboxConsumer<T> consumer = consumer((transaction, delivery) -> {
            fixture.effect(transaction, nameOf(delivery));
            if (nameOf(delivery).equals("a1") && calls.incrementAndGet() < 3) {
                throw new IllegalStateException("flaky");
            }
        });

        assertThat(consumer.accept(named("a", "a1")).kind()).isEqualTo(Kind.ASIDE);
        assertThat(consumer.accept(named("a", "a2")).kind()).isEqualTo(Kind.ASIDE);
        assertThat(consumer.accept(named("b", "b1")).kind()).isEqualTo(Kind.HANDLED);
        assertThat(consumer.accept(named("a", "a3")).kind()).isEqualTo(Kind.ASIDE);
        assertThat(fixture.effects()).as("another key is not held back").containsExactly("b1");
        start(consumer);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(fixture.effects()).containsExactly("b1", "a1", "a2", "a3"));
        await().atMost(PATIENCE).until(() -> store.stored(STOCK, 0, 10).isEmpty());
        assertThat(consumer.accept(named("a", "a4")).kind())
                .as("its key is free again")
                .isEqualTo(Kind.HANDLED);
        assertThat(letters()).isEmpty();
    }

    @Test
    void whatFailsTooOftenIsADeadLetterWithItsWholeStory() {
        InboxConsumer<T> consumer = consumer((transaction, delivery) -> {
            calls.incrementAndGet();
            throw new IllegalStateException("the shelf is gone", new IOException("disk"));
        });
        start(consumer);

        consumer.accept(named("a", "a1"));

        DeadLetter letter = awaitLetter();
        assertThat(calls).as("attempts in all, the first one included").hasValue(3);
        assertThat(letter.entry().attempts()).isEqualTo(3);
        assertThat(letter.entry().lastError())
                .startsWith("java.lang.IllegalStateException: the shelf is gone")
                .contains("Caused by: java.io.IOException: disk")
                .contains("at dev.waybill.testkit.inbox.ConsumerContract");
        assertThat(letter.consumer()).hasValue(STOCK);
        assertThat(letter.publishedTo()).isEqualTo("orders");
        assertThat(letter.correlationId()).hasValue("c-1");
        assertThat(letter.parksKey()).isTrue();
        assertThat(fixture.effects()).isEmpty();
    }

    @Test
    void aBusinessErrorIsADeadLetterAtOnceAndItsKeyWaits() {
        InboxConsumer<T> consumer = consumer(failsWhileBroken());
        start(consumer);

        assertThat(consumer.accept(named("a", "a1")).kind()).isEqualTo(Kind.DEAD);
        assertThat(consumer.accept(named("a", "a2")).kind()).isEqualTo(Kind.ASIDE);
        assertThat(consumer.accept(named("a", "a1-again", idOf("a1")))).matches(Receipt::isTaken);

        assertThat(calls).as("not retried").hasValue(1);
        assertThat(letters()).singleElement().matches(letter -> letter.entry().attempts() == 1);
    }

    @Test
    void aReplayedDeadLetterTakesEffectAtOnceAndItsFollowersComeInOrder() {
        InboxConsumer<T> consumer = consumer(failsWhileBroken());
        start(consumer);
        consumer.accept(named("a", "a1"));
        consumer.accept(named("a", "a2"));
        consumer.accept(named("a", "a3"));

        broken.set(false);
        assertThat(deadLetters().redrive(letters().get(0).entry().sequence(), TESTER))
                .isTrue();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(fixture.effects()).containsExactly("a1", "a2", "a3"));
        assertThat(consumer.accept(named("a", "a1")).kind()).isEqualTo(Kind.DUPLICATE);
        await().atMost(PATIENCE).until(() -> resolved() == 1);
        assertThat(fixture.effects()).containsExactly("a1", "a2", "a3");
    }

    @Test
    void aReplayThatFailsAgainIsRecordedAndTheNextOneIsToo() {
        InboxConsumer<T> consumer = consumer((transaction, delivery) -> {
            if (broken.get()) {
                throw new RejectedEventException("declined for the " + calls.incrementAndGet() + ". time");
            }
            fixture.effect(transaction, nameOf(delivery));
        });
        start(consumer);
        consumer.accept(named("a", "a1"));
        long sequence = letters().get(0).entry().sequence();

        deadLetters().redrive(sequence, TESTER);
        await().atMost(PATIENCE).until(() -> !letters().isEmpty());
        DeadLetter again = letters().get(0);
        assertThat(again.replays()).isEqualTo(1);
        assertThat(again.entry().lastError()).contains("declined for the 2. time");
        broken.set(false);
        deadLetters().redrive(sequence, TESTER);

        await().atMost(PATIENCE).until(() -> resolved() == 1);
        assertThat(deadLetters().find(sequence))
                .hasValueSatisfying(letter -> assertThat(letter.replays()).isEqualTo(2));
        assertThat(fixture.effects()).containsExactly("a1");
    }

    @Test
    void aReplayReachesOnlyTheConsumerThatFailed() {
        InboxConsumer<T> stock = consumer(failsWhileBroken());
        InboxConsumer<T> mails = InboxConsumer.named(MAILS, store)
                .on("OrderPlaced", (transaction, delivery) -> fixture.effect(transaction, "mail " + nameOf(delivery)))
                .build();
        start(stock, mails);
        InboxTransport transport = InboxTransport.to(Runnable::run, stock, mails);

        assertThat(send(transport, named("a", "a1"))).isInstanceOf(DeliveryResult.Delivered.class);
        assertThat(fixture.effects()).containsExactly("mail a1");
        broken.set(false);
        deadLetters().redrive(letters().get(0).entry().sequence(), TESTER);
        await().atMost(PATIENCE).until(() -> resolved() == 1);

        assertThat(send(transport, named("a", "a1"))).isInstanceOf(DeliveryResult.Delivered.class);
        assertThat(fixture.effects()).containsExactly("mail a1", "a1");
    }

    @Test
    void anEditedEventIsHandledAsItIsNow() {
        InboxConsumer<T> consumer = consumer((transaction, delivery) -> {
            if (nameOf(delivery).equals("bad")) {
                throw new RejectedEventException("bad");
            }
            fixture.effect(transaction, nameOf(delivery));
        });
        start(consumer);
        consumer.accept(named("a", "bad"));
        long sequence = letters().get(0).entry().sequence();

        deadLetters().edit(sequence, Correction.none().withPayload(Payload.utf8("good")), TESTER);
        deadLetters().redrive(sequence, TESTER);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(fixture.effects()).containsExactly("good"));
    }

    @Test
    void whatWaitsGoesOnWithoutADiscardedOne() {
        InboxConsumer<T> consumer = consumer((transaction, delivery) -> {
            if (nameOf(delivery).equals("a1")) {
                throw new RejectedEventException("never");
            }
            fixture.effect(transaction, nameOf(delivery));
        });
        start(consumer);
        consumer.accept(named("a", "a1"));
        consumer.accept(named("a", "a2"));

        deadLetters().discard(letters().get(0).entry().sequence(), TESTER);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(fixture.effects()).containsExactly("a2"));
        assertThat(consumer.accept(named("a", "a1", idOf("a1"))).kind()).isEqualTo(Kind.DUPLICATE);
    }

    @Test
    void aConsumerThatTakesNothingDefersAndNothingDies() {
        InboxConsumer<T> consumer = InboxConsumer.named(STOCK, store)
                .on("OrderPlaced", (transaction, delivery) -> fixture.effect(transaction, nameOf(delivery)))
                .guard((name, attempt) -> {
                    if (broken.get()) {
                        calls.incrementAndGet();
                        throw new DeferredException("the breaker is open", Duration.ofSeconds(7));
                    }
                    attempt.run();
                })
                .config(QUICK)
                .build();
        start(consumer);

        Receipt receipt = consumer.accept(named("a", "a1"));
        assertThat(receipt).isEqualTo(new Receipt(Kind.DEFERRED, Duration.ofSeconds(7)));
        assertThat(store.stored(STOCK, 0, 10)).isEmpty();
        assertThat(consumer.putAside(named("a", "a1", idOf("a1"))).kind()).isEqualTo(Kind.ASIDE);
        await().atMost(PATIENCE).until(() -> calls.get() >= 3);
        assertThat(store.stored(STOCK, 0, 10)).singleElement().matches(entry -> entry.attempts() == 0);
        assertThat(letters()).isEmpty();
        broken.set(false);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(fixture.effects()).containsExactly("a1"));
    }

    @Test
    void aDeferredConsumerHoldsBackNobodyInTheSameProcess() {
        InboxConsumer<T> stock = InboxConsumer.named(STOCK, store)
                .on("OrderPlaced", (transaction, delivery) -> {
                    throw new DeferredException("not now", Duration.ofHours(1));
                })
                .build();
        InboxConsumer<T> mails = InboxConsumer.named(MAILS, store)
                .on("OrderPlaced", (transaction, delivery) -> fixture.effect(transaction, nameOf(delivery)))
                .build();
        InboxTransport transport = InboxTransport.to(Runnable::run, stock, mails);

        assertThat(send(transport, named("a", "a1"))).isInstanceOf(DeliveryResult.Delivered.class);
        assertThat(send(transport, named("a", "a2"))).isInstanceOf(DeliveryResult.Delivered.class);

        assertThat(fixture.effects()).containsExactly("a1", "a2");
        assertThat(store.stored(STOCK, 0, 10)).hasSize(2).allMatch(entry -> entry.attempts() == 0);
    }

    @Test
    void twoInstancesOfOneConsumerLetEverythingTakeEffectOnce() {
        InboxHandler<T> flaky = (transaction, delivery) -> {
            if (calls.incrementAndGet() % 3 == 0) {
                throw new IllegalStateException("flaky");
            }
            fixture.effect(transaction, nameOf(delivery));
        };
        InboxConfig patient = QUICK.withRetry(QUICK.retry().withMaxAttempts(100));
        InboxConsumer<T> one = consumer(flaky, patient);
        InboxConsumer<T> two = consumer(flaky, patient);
        start(one);
        start(two);
        List<Callable<Boolean>> sources = new ArrayList<>();
        List<Delivery> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(named("key-" + i % 5, "e" + i));
        }
        for (InboxConsumer<T> consumer : List.of(one, two)) {
            sources.add(() -> {
                all.forEach(consumer::accept);
                return true;
            });
        }

        try (InParallel together = new InParallel()) {
            together.together(sources);
        }

        await().atMost(PATIENCE).until(() -> fixture.effects().size() >= 40);
        await().atMost(PATIENCE).until(() -> store.stored(STOCK, 0, 10).isEmpty());
        assertThat(fixture.effects()).doesNotHaveDuplicates().hasSize(40);
        for (int key = 0; key < 5; key++) {
            List<String> expected = new ArrayList<>();
            for (int i = key; i < 40; i += 5) {
                expected.add("e" + i);
            }
            assertThat(fixture.effects().stream().filter(expected::contains)).isEqualTo(expected);
        }
    }
}
