package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.event.Event;
import dev.waybill.event.EventHeaders;
import dev.waybill.event.EventTypes;
import dev.waybill.event.InvalidEventException;
import dev.waybill.event.PayloadCodec;
import dev.waybill.inbox.Receipt.Kind;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.StoreException;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.NonRetryableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a consumer does with the edges of its contract; the contract itself is ConsumerContract in the testkit. */
class InboxConsumerTest {
    private final MemoryOutboxStore siding = new MemoryOutboxStore(InstantSource.system());
    private final InboxStore<MemoryTransaction> store = siding.inbox();
    private final List<String> effects = new ArrayList<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static final class Declined extends Exception implements NonRetryableException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aStoreFailureIsTheSourcesToRepeatAndChangesNothing() {
        InboxStore<MemoryTransaction> failing = failing("claim", new StoreException("no database", null));
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("stock", failing)
                .on("OrderPlaced", effect())
                .build();
        Delivery delivery = delivery("42");

        assertThatThrownBy(() -> consumer.accept(delivery)).isInstanceOf(StoreException.class);

        assertThat(store.stored("stock", 0, 10)).isEmpty();
        assertThat(store.seen(List.of(InboxKey.of("stock", delivery)))).isEmpty();
    }

    @Test
    void aCommitThatTheDatabaseRefusesIsTheEventsFault() {
        InboxStore<MemoryTransaction> refusing =
                failing("inTransaction", new SQLIntegrityConstraintViolationException("no such article"));
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("stock", refusing)
                .on("OrderPlaced", effect())
                .build();

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.ASIDE);

        assertThat(store.stored("stock", 0, 10))
                .singleElement()
                .matches(entry -> String.valueOf(entry.lastError()).contains("no such article"));
    }

    @Test
    void anInterruptedHandlerIsDeferredAndItsThreadStaysInterrupted() {
        InboxConsumer<MemoryTransaction> consumer = consumer((transaction, delivery) -> {
            throw new InterruptedException();
        });

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.DEFERRED);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(store.stored("stock", 0, 10)).isEmpty();
    }

    @Test
    void anErrorOfAHandlerIsAFailureAndNotTheEndOfTheThread() {
        InboxConsumer<MemoryTransaction> consumer = consumer((transaction, delivery) -> {
            throw new NoClassDefFoundError("dev/shop/Stock");
        });

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.ASIDE);
    }

    @Test
    void aBusinessErrorInAFutureIsOneToo() {
        InboxConsumer<MemoryTransaction> consumer = consumer((transaction, delivery) -> {
            throw new CompletionException(new Declined());
        });

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.DEAD);
    }

    @Test
    void oneAttemptMeansNoRetry() {
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("stock", store)
                .on("OrderPlaced", (transaction, delivery) -> {
                    throw new IllegalStateException("flaky");
                })
                .config(InboxConfig.defaults().withRetry(RetryPolicy.defaults().withMaxAttempts(1)))
                .build();

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.DEAD);
    }

    @Test
    void whatCannotBeDecodedIsADeadLetterAndTheGuardIsNotAsked() {
        AtomicInteger asked = new AtomicInteger();
        EventTypes types = EventTypes.builder()
                .register("OrderPlaced", 1, String.class, new BrokenCodec())
                .build();
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("stock", store)
                .types(types)
                .on("OrderPlaced", String.class, (transaction, value, delivery) -> effects.add(value))
                .guard((name, attempt) -> asked.incrementAndGet())
                .build();

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.DEAD);

        assertThat(asked).hasValue(0);
        assertThat(letters().get(0).entry().lastError()).startsWith("dev.waybill.event.PayloadCodecException");
    }

    @Test
    void aTypedHandlerGetsItsValue() {
        EventTypes types = EventTypes.builder()
                .register("OrderPlaced", 1, String.class, new TextCodec())
                .register("OrderPaid", 1, Integer.class, new TextCodec())
                .build();
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("stock", store)
                .types(types)
                .on("OrderPlaced", String.class, (transaction, value, delivery) -> effects.add(value))
                .on("OrderPaid", String.class, (transaction, value, delivery) -> effects.add(value))
                .build();

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.HANDLED);
        assertThat(effects).containsExactly("hello");
        Event paid = Event.to("orders").type("OrderPaid").json("7").build();
        assertThat(consumer.accept(new Delivery(paid, 1, 1, 0, 0)).kind())
                .as("a handler for another class")
                .isEqualTo(Kind.DEAD);
    }

    @Test
    void anEventInTheSidingIsHandedOverAsItCameFirst() {
        List<Delivery> seen = new ArrayList<>();
        InboxConsumer<MemoryTransaction> consumer = consumer((transaction, delivery) -> {
            seen.add(delivery);
            if (seen.size() == 1) {
                throw new IllegalStateException("once");
            }
        });
        Delivery first = new Delivery(
                Event.to("orders")
                        .key("42")
                        .type("OrderPlaced")
                        .json("{}")
                        .header("x", "y")
                        .build(),
                4711,
                1,
                3,
                0);
        consumer.accept(first);
        Entry entry = store.stored("stock", 0, 10).get(0);
        assertThat(entry.event().headers()).containsEntry(EventHeaders.ORIGIN, "orders");

        assertThat(consumer.retry(new Delivery(entry.event(), entry.sequence(), 2, entry.replay(), 1))
                        .result())
                .isInstanceOf(DeliveryResult.Delivered.class);

        Delivery again = seen.get(1);
        assertThat(again.event()).isEqualTo(first.event());
        assertThat(again.sequence()).isEqualTo(4711);
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.replay()).isEqualTo(3);
    }

    @Test
    void aRetryTellsTheRelayWhatBecameOfIt() {
        AtomicInteger calls = new AtomicInteger();
        List<Exception> failures = List.of(
                new IllegalStateException("flaky"),
                new DeferredException("not now", Duration.ofSeconds(1)),
                new Declined());
        InboxConsumer<MemoryTransaction> consumer = consumer((transaction, delivery) -> {
            throw failures.get(calls.getAndIncrement() % failures.size());
        });
        Delivery delivery = delivery("42");

        assertThat(consumer.retry(delivery).result()).isInstanceOf(DeliveryResult.Retry.class);
        assertThat(consumer.retry(delivery).result()).isInstanceOf(DeliveryResult.Unavailable.class);
        assertThat(consumer.retry(delivery).result()).isInstanceOf(DeliveryResult.Rejected.class);
        InboxConsumer<MemoryTransaction> without = InboxConsumer.named(
                        "stock", failing("claim", new StoreException("no database", null)))
                .on("OrderPlaced", effect())
                .build();
        assertThat(without.retry(delivery).result()).isInstanceOf(DeliveryResult.Unavailable.class);
    }

    @Test
    void theLastAttemptIsTheConsumersToCountAndAnOutageIsNone() {
        DeferredException outage =
                new DeferredException("half open", Duration.ofSeconds(7), new IllegalStateException("down"));
        List<Exception> failures = new ArrayList<>(List.of(outage, new IllegalStateException("flaky")));
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("stock", store)
                .on("OrderPlaced", (transaction, delivery) -> {
                    throw new IllegalStateException("never seen");
                })
                .guard((name, attempt) -> {
                    try {
                        attempt.run();
                    } catch (IllegalStateException e) {
                        throw failures.remove(0);
                    }
                })
                .build();
        Delivery last = new Delivery(delivery("42").event(), 1, 3, 0, 0);

        assertThat(consumer.retry(last).result())
                .as("it ran, and everything fails: later, in its turn")
                .isInstanceOfSatisfying(
                        DeliveryResult.Retry.class,
                        retry -> assertThat(retry.after()).isEqualTo(Duration.ofSeconds(7)));
        assertThat(consumer.retry(last).result()).isInstanceOf(DeliveryResult.Rejected.class);
    }

    @Test
    void whatIsIgnoredNowNoLongerWaits() {
        InboxConsumer<MemoryTransaction> before = consumer((transaction, delivery) -> {
            throw new IllegalStateException("flaky");
        });
        before.accept(delivery("42"));
        InboxConsumer<MemoryTransaction> after = InboxConsumer.named("stock", store)
                .on("OrderPaid", effect())
                .ignore("OrderPlaced")
                .build();

        after.check();
        assertThat(after.retry(delivery("42")).result()).isInstanceOf(DeliveryResult.Delivered.class);
    }

    @Test
    void aTransactionThatTheHandlerLostIsAFailure() {
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("stock", lying())
                .on("OrderPlaced", effect())
                .build();

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.ASIDE);

        assertThat(effects).isEmpty();
        assertThat(store.stored("stock", 0, 10))
                .singleElement()
                .matches(entry -> String.valueOf(entry.lastError()).contains("LostTransactionException"));
    }

    @Test
    void aListenerThatFailsDoesNotFailTheEvent() {
        AtomicInteger woken = new AtomicInteger();
        InboxConsumer<MemoryTransaction> consumer = consumer((transaction, delivery) -> {
            throw new IllegalStateException("flaky");
        });
        consumer.afterAside(() -> {
            throw new IllegalStateException("a broken listener");
        });
        consumer.afterAside(woken::incrementAndGet);

        assertThat(consumer.accept(delivery("42")).kind()).isEqualTo(Kind.ASIDE);

        assertThat(woken).hasValue(1);
    }

    @Test
    void aConsumerForgetsARelayThatHasEndedOnceThereIsAnother() {
        InboxConsumer<MemoryTransaction> consumer = consumer(effect());
        WeakReference<Relay> ended = new WeakReference<>(SidingRelay.start(siding, Runnable::run, consumer));
        Objects.requireNonNull(ended.get()).kill();

        try (Relay next = SidingRelay.start(siding, Runnable::run, consumer)) {
            await().untilAsserted(() -> {
                System.gc();
                assertThat(ended.get()).isNull();
            });
            assertThat(next.status().relay()).isEqualTo(next.id());
        }
    }

    @Test
    void everythingIsCounted() {
        InboxConsumer<MemoryTransaction> consumer = InboxConsumer.named("stock", store)
                .on("OrderPlaced", effect())
                .ignoreOtherTypes()
                .metrics(registry)
                .build();
        Delivery delivery = delivery("42");

        consumer.accept(delivery);
        consumer.accept(delivery);
        consumer.accept(new Delivery(Event.to("orders").type("Other").build(), 1, 1, 0, 0));

        assertThat(events("handled")).isEqualTo(1);
        assertThat(events("duplicate")).isEqualTo(1);
        assertThat(events("ignored")).isEqualTo(1);
        assertThat(registry.get("inbox.handling.duration")
                        .tag("consumer", "stock")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("idempotency.checks")
                        .tag("result", "hit")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aConsumerNeedsANameAndAHandlerAndEachTypeOnlyOne() {
        assertThatThrownBy(() -> InboxConsumer.named("no spaces", store)).isInstanceOf(InvalidEventException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InboxConsumer.named("stock", store).build())
                .withMessageContaining("no handler");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InboxConsumer.named("stock", store)
                        .on("OrderPlaced", effect())
                        .on("OrderPlaced", effect()))
                .withMessageContaining("already");
        assertThatIllegalArgumentException().isThrownBy(() -> InboxTransport.to(Runnable::run));
        InboxConsumer<MemoryTransaction> consumer = consumer(effect());
        assertThatIllegalArgumentException().isThrownBy(() -> InboxTransport.to(Runnable::run, consumer, consumer));
    }

    private InboxConsumer<MemoryTransaction> consumer(InboxHandler<MemoryTransaction> handler) {
        return InboxConsumer.named("stock", store).on("OrderPlaced", handler).build();
    }

    private InboxHandler<MemoryTransaction> effect() {
        return (transaction, delivery) ->
                transaction.onCommit(() -> effects.add(delivery.event().type()));
    }

    private static Delivery delivery(String key) {
        return new Delivery(
                Event.to("orders").key(key).type("OrderPlaced").json("hello").build(), 1, 1, 0, 0);
    }

    private List<DeadLetter> letters() {
        return siding.deadLetters().list(DeadLetterFilter.all(), 0, 10);
    }

    private double events(String result) {
        return registry.get("inbox.events").tag("result", result).counter().count();
    }

    /** Says that nothing is claimed, as a database does whose transaction was rolled back. */
    @SuppressWarnings("unchecked")
    private InboxStore<MemoryTransaction> lying() {
        return (InboxStore<MemoryTransaction>) Proxy.newProxyInstance(
                InboxStore.class.getClassLoader(), new Class<?>[] {InboxStore.class}, (proxy, called, args) -> {
                    try {
                        return called.getName().equals("isClaimed") ? (Object) false : called.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Fails once in a method; a transaction fails when it would commit. */
    @SuppressWarnings("unchecked")
    private InboxStore<MemoryTransaction> failing(String method, Exception failure) {
        boolean[] failed = new boolean[1];
        return (InboxStore<MemoryTransaction>) Proxy.newProxyInstance(
                InboxStore.class.getClassLoader(), new Class<?>[] {InboxStore.class}, (proxy, called, args) -> {
                    if (called.getName().equals(method) && !failed[0]) {
                        failed[0] = true;
                        throw failure;
                    }
                    try {
                        return called.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static final class TextCodec implements PayloadCodec {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            return type.cast(type == Integer.class ? (Object) Integer.valueOf(text) : text);
        }
    }

    private static final class BrokenCodec implements PayloadCodec {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            throw new IllegalArgumentException("not this one");
        }
    }
}
