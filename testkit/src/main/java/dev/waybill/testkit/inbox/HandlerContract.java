package dev.waybill.testkit.inbox;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.EventTypes;
import dev.waybill.event.Upcaster;
import dev.waybill.inbox.InboxCheckException;
import dev.waybill.inbox.InboxConfig;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxTransport;
import dev.waybill.inbox.Origin;
import dev.waybill.inbox.Receipt.Kind;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.RejectedEventException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * How a consumer's handlers are chosen and what is checked at the start, on every store, as tests. An implementation adds a
 * subclass that supplies an {@link InboxFixture}.
 *
 * @param <T> the transaction
 */
public abstract class HandlerContract<T> extends ConsumerTestBase<T> {

    @Test
    void aLeasedHandlerThatFailsIsTriedAgain() {
        List<String> sent = new CopyOnWriteArrayList<>();
        InboxConsumer<T> consumer = InboxConsumer.named(STOCK, store)
                .onLeased("OrderPlaced", (delivery, epoch) -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new IOException("no route to host");
                    }
                    sent.add(nameOf(delivery));
                })
                .config(QUICK)
                .build();
        start(consumer);

        assertThat(consumer.accept(named("a", "a1")).kind()).isEqualTo(Kind.ASIDE);
        assertThat(consumer.accept(named("a", "a2")).kind()).isEqualTo(Kind.ASIDE);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(sent).containsExactly("a1", "a2"));
        await().atMost(PATIENCE).until(() -> store.stored(STOCK, 0, 10).isEmpty());
        assertThat(consumer.accept(named("a", "a1", idOf("a1"))).kind()).isEqualTo(Kind.DUPLICATE);
        assertThat(consumer.accept(named("a", "a3")).kind()).isEqualTo(Kind.HANDLED);
    }

    @Test
    void upcastersApplyToLiveRetriedAndDeadLetteredEventsAlike() {
        EventTypes types = EventTypes.builder()
                .upcast(
                        "OrderPlaced",
                        1,
                        Upcaster.ofPayload(old -> (text(old) + " in v2").getBytes(StandardCharsets.UTF_8)))
                .build();
        InboxConsumer<T> consumer = InboxConsumer.named(STOCK, store)
                .types(types)
                .on("OrderPlaced", (transaction, delivery) -> {
                    assertThat(delivery.event().version()).isEqualTo(2);
                    if (broken.get() && nameOf(delivery).startsWith("dead")) {
                        throw new RejectedEventException("no");
                    }
                    if (nameOf(delivery).startsWith("flaky") && calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("flaky");
                    }
                    fixture.effect(transaction, nameOf(delivery));
                })
                .config(QUICK)
                .build();
        start(consumer);

        consumer.accept(named("a", "live"));
        consumer.accept(named("b", "flaky"));
        consumer.accept(named("c", "dead"));
        assertThat(letters().get(0).entry().event().version())
                .as("stored as it came")
                .isEqualTo(1);
        broken.set(false);
        deadLetters().redrive(letters().get(0).entry().sequence(), TESTER);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(fixture.effects())
                        .containsExactlyInAnyOrder("live in v2", "flaky in v2", "dead in v2"));
    }

    @Test
    void anUnknownTypeIsADeadLetterAndAnIgnoredOneIsNothing() {
        InboxConsumer<T> consumer = InboxConsumer.named(STOCK, store)
                .on("OrderPlaced", (transaction, delivery) -> fixture.effect(transaction, nameOf(delivery)))
                .ignore("OrderViewed")
                .build();

        assertThat(consumer.accept(delivery("a", "OrderViewed")).kind()).isEqualTo(Kind.IGNORED);
        assertThat(letters()).isEmpty();
        assertThat(consumer.accept(delivery("a", "OrderEaten")).kind()).isEqualTo(Kind.DEAD);
        assertThat(letters())
                .singleElement()
                .matches(letter -> String.valueOf(letter.entry().lastError()).contains("OrderEaten"));
    }

    @Test
    void whatIsStoredMustStillBeReadableAtTheStart() {
        InboxConsumer<T> before = InboxConsumer.named(STOCK, store)
                .on("OrderPlaced", failsWhileBroken())
                .on("OrderPaid", failsWhileBroken())
                .build();
        before.accept(delivery("a", "OrderPlaced"));
        before.accept(delivery("a", "OrderPaid"));
        before.accept(delivery("b", "OrderEaten"));
        before.check();

        InboxConsumer<T> after = InboxConsumer.named(STOCK, store)
                .on("OrderPlaced", failsWhileBroken())
                .build();

        assertThatThrownBy(after::check)
                .isInstanceOf(InboxCheckException.class)
                .hasMessageContaining("1 events")
                .hasMessageContaining("OrderPaid v1");
    }

    @Test
    void theInboxMustRememberLongerThanEventsComeAgain() {
        InboxConsumer<T> consumer = InboxConsumer.named(STOCK, store)
                .on("OrderPlaced", failsWhileBroken())
                .config(InboxConfig.defaults().withRedeliveryAge(Duration.ofDays(9)))
                .build();

        assertThatThrownBy(consumer::check)
                .isInstanceOf(InboxCheckException.class)
                .hasMessageContaining("redeliveryAge");
        assertThatThrownBy(() -> InboxTransport.to(Runnable::run, consumer)).isInstanceOf(InboxCheckException.class);
    }

    @Test
    void anEventThatSomebodyElseIsAtHoldsUpNoOther() throws Exception {
        List<String> sent = new CopyOnWriteArrayList<>();
        InboxConsumer<T> consumer = InboxConsumer.named(STOCK, store)
                .onLeased("OrderPlaced", (delivery, epoch) -> sent.add(nameOf(delivery)))
                .config(QUICK)
                .build();
        Delivery busy = named("a", "a1");
        consumer.putAside(busy);
        consumer.putAside(named("b", "b1"));
        store.inTransaction(
                transaction -> store.lease(transaction, keyOf(STOCK, busy), Origin.SIDING, Duration.ofSeconds(5)));
        start(consumer);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(sent).containsExactly("b1", "a1"));
        await().atMost(PATIENCE).until(() -> store.stored(STOCK, 0, 10).isEmpty());
        assertThat(consumer.accept(busy).kind()).isEqualTo(Kind.DUPLICATE);
    }
}
