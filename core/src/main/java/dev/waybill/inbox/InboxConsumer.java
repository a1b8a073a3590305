package dev.waybill.inbox;

import dev.waybill.OneLine;
import dev.waybill.event.EventRules;
import dev.waybill.event.EventTypes;
import dev.waybill.inbox.Handlers.Task;
import dev.waybill.relay.Relay;
import dev.waybill.relay.Route;
import dev.waybill.store.OrderKey;
import dev.waybill.store.StoreException;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of events: handles each of them once, puts aside what fails, and lets nothing of a key overtake it.
 * Thread-safe.
 *
 * <p>Whoever delivers ({@link InboxTransport} in the same process, a Kafka consumer) calls {@link #accept}, for one event of a
 * key at a time and in order, and acknowledges what was {@linkplain Receipt#isTaken taken}. What was put aside is
 * tried again by a relay on the same store, which has the route {@link #siding}.
 *
 * <p>Who owns what: the siding owns a key from the commit that puts the first event of it aside until the commit that
 * settles the last one. Every event of the key that comes in between joins them in the transaction that looks; an
 * event is handled directly only if its transaction sees nothing of its key in the siding, so that the effects of all earlier ones
 * are committed.
 *
 * @param <T> the transaction of the effects, for instance a JDBC connection
 */
public final class InboxConsumer<T> {
    private static final Logger log = LoggerFactory.getLogger(InboxConsumer.class);
    private static final Duration SHORTLY = Duration.ofSeconds(1);

    private final String name;
    private final InboxStore<T> store;
    private final Inbox<T> inbox;
    private final Handlers<T> handlers;
    private final HandlerGuard guard;
    private final InboxConfig config;
    private final InboxMeters meters;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Runnable wakeUp = () -> {};

    private InboxConsumer(Builder<T> builder) {
        name = builder.name;
        store = builder.store;
        inbox = new Inbox<>(store, builder.registry);
        handlers = new Handlers<>(builder.types, builder.handlers, builder.ignored, builder.ignoreOthers);
        guard = builder.guard;
        config = builder.config;
        meters = new InboxMeters(name, builder.registry);
    }

    /**
     * Starts a consumer.
     *
     * @param name what its events are remembered under: the same in all of its instances and for ever, different from
     *             that of every other consumer
     */
    public static <T> Builder<T> named(String name, InboxStore<T> store) {
        return new Builder<>(name, store);
    }

    public String name() {
        return name;
    }

    Duration lease() {
        return config.lease();
    }

    /**
     * Checks what would go wrong later: that the inbox remembers events for longer than they may come again, and that all that
     * waits for this consumer can still be read.
     *
     * @throws InboxCheckException if that is not so
     * @throws StoreException if the store cannot be read
     */
    public void check() {
        StartCheck.requireRetention(name, store.retention(), config.redeliveryAge());
        StartCheck.requireReadable(name, store, handlers);
    }

    /**
     * Takes an event: handles it, or puts it aside.
     *
     * @throws StoreException if the store failed. Nothing is known: give the event again
     */
    public Receipt accept(Delivery delivery) {
        if (handlers.ignores(delivery.event().type())) {
            return meters.count(Receipt.of(Receipt.Kind.IGNORED));
        }
        try {
            // One that only joins those that wait is no reason to wake the relay: nothing of its key is due before
            // them.
            return meters.count(handle(delivery, Origin.SOURCE));
        } catch (HandlerFailure e) {
            return tell(setAside(delivery, setback(delivery, e), e.epoch));
        }
    }

    /**
     * Takes an event without handling it now, for whoever cannot wait until the consumer takes events again.
     *
     * @throws StoreException if the store failed. Nothing is known: give the event again
     */
    public Receipt putAside(Delivery delivery) {
        return meters.count(setAside(delivery, Setback.waiting(), 0));
    }

    /**
     * Takes an event that no handler can read, as a dead letter.
     *
     * @throws StoreException if the store failed. Nothing is known: give the event again
     */
    public Receipt reject(Delivery delivery, Throwable reason) {
        return tell(setAside(delivery, Setback.dead(1, FailureText.of(reason)), 0));
    }

    /** Those of the deliveries that this consumer did not have before, in one statement; each event at most once. */
    public List<Delivery> unseen(List<Delivery> deliveries) {
        return inbox.unseen(name, deliveries);
    }

    /**
     * How a relay tries again what was put aside, with the pauses of the consumer's retry policy; handlers run on the
     * executor. The consumer itself says when an event is dead: the relay cannot tell a failure of the event from one
     * of everything.
     */
    public Route siding(Executor executor) {
        return siding(
                executor, wait -> CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS, executor));
    }

    /**
     * The same with a clock of the caller's, for a simulation.
     *
     * @param later what runs a handler after a while, because somebody else is at its event
     */
    public Route siding(Executor executor, Function<Duration, Executor> later) {
        return Route.to(new SidingTransport(this, executor, later))
                .withRetry(config.retry().withMaxAttempts(Integer.MAX_VALUE));
    }

    /** Calls a listener after every commit that put a failed event aside, for instance {@code relay::wakeUp}. It must be quick. */
    public void afterAside(Runnable listener) {
        listeners.add(listener);
    }

    /** The relay to wake up then. Only the latest, so that those that have ended do not pile up; others poll. */
    void wakesUp(Relay relay) {
        wakeUp = relay::wakeUp;
    }

    /**
     * Tries an event again that was put aside.
     *
     * @return what to tell the relay; nothing yet if somebody else is at this very event: then it is to be tried again after
     *     that, without holding up the others
     */
    Retrial retry(Delivery aside) {
        Delivery delivery = Siding.origin(aside);
        if (handlers.ignores(delivery.event().type())) {
            meters.count(Receipt.of(Receipt.Kind.IGNORED));
            return Retrial.of(DeliveryResult.delivered());
        }
        try {
            Receipt receipt = meters.count(handle(delivery, Origin.SIDING));
            if (receipt.isTaken()) {
                return Retrial.of(DeliveryResult.delivered());
            }
            return receipt.kind() == Receipt.Kind.BUSY
                    ? Retrial.after(receipt.retryAfter())
                    : Retrial.of(DeliveryResult.unavailable(
                            "Consumer " + name + " takes nothing for " + receipt.retryAfter()));
        } catch (HandlerFailure e) {
            giveBack(InboxKey.of(name, delivery), e.epoch, Origin.SIDING);
            return Retrial.of(outcome(aside, e));
        } catch (StoreException e) {
            return Retrial.of(DeliveryResult.unavailable(e.toString()));
        }
    }

    /**
     * One that ran while everything fails is tried later, however often: it makes room for another one, so that an event
     * which really is at fault does not stand for all the others.
     */
    private DeliveryResult outcome(Delivery aside, HandlerFailure failure) {
        DeferredException deferred = failure.deferred();
        if (deferred != null) {
            meters.count(Receipt.of(Receipt.Kind.DEFERRED));
            return DeliveryResult.retryAfter(failure.text(), deferred.retryAfter());
        }
        boolean dead = failure.isFinal() || aside.attempt() >= config.retry().maxAttempts();
        meters.count(Receipt.of(dead ? Receipt.Kind.DEAD : Receipt.Kind.ASIDE));
        return dead ? DeliveryResult.rejected(failure.text()) : DeliveryResult.retry(failure.text());
    }

    private Receipt handle(Delivery delivery, Origin origin) throws HandlerFailure {
        Task<T> task;
        try {
            task = handlers.read(delivery);
        } catch (RuntimeException e) {
            throw new HandlerFailure(e, 0);
        }
        try {
            return task.leased() == null ? handleHere(task, origin) : handleElsewhere(task, task.leased(), origin);
        } catch (DeferredException e) {
            log.debug("Consumer {} defers event {}: {}", name, delivery.event().id(), e.getMessage());
            return new Receipt(Receipt.Kind.DEFERRED, e.retryAfter());
        } catch (HandlerFailure | StoreException e) {
            throw e;
        } catch (Exception e) {
            // A commit that the database refused, because of what the handler did.
            throw new HandlerFailure(e, 0);
        }
    }

    private Receipt handleHere(Task<T> task, Origin origin) throws Exception {
        InboxHandler<T> handler = Objects.requireNonNull(task.handler());
        return store.inTransaction(transaction -> {
            Receipt receipt = joinSiding(transaction, task.delivery(), origin);
            if (receipt != null) {
                return receipt;
            }
            InboxKey key = InboxKey.of(name, task.delivery());
            Claim claim = store.claim(transaction, key, origin);
            if (claim.isTaken()) {
                run(() -> handler.handle(transaction, task.delivery()), 0, origin);
                if (!store.isClaimed(transaction, key)) {
                    throw new HandlerFailure(new LostTransactionException(key), 0);
                }
            }
            return receipt(claim);
        });
    }

    private Receipt handleElsewhere(Task<T> task, LeasedHandler handler, Origin origin) throws Exception {
        InboxKey key = InboxKey.of(name, task.delivery());
        Claim[] claimed = new Claim[1];
        Receipt receipt = store.inTransaction(transaction -> {
            Receipt joined = joinSiding(transaction, task.delivery(), origin);
            if (joined != null) {
                return joined;
            }
            claimed[0] = store.lease(transaction, key, origin, config.lease());
            return receipt(claimed[0]);
        });
        Claim claim = claimed[0];
        if (claim == null || !claim.isTaken()) {
            return receipt;
        }
        try {
            run(() -> handler.handle(task.delivery(), claim.epoch()), claim.epoch(), origin);
        } catch (DeferredException e) {
            giveBack(key, claim.epoch(), origin);
            throw e;
        }
        if (store.inTransaction(transaction -> store.complete(transaction, key, claim.epoch()))) {
            return receipt;
        }
        log.warn("{}", new LeaseLostException(key).getMessage());
        return new Receipt(Receipt.Kind.BUSY, SHORTLY);
    }

    /** Puts the event behind what waits of its key, if something does; otherwise {@code null}. */
    private @Nullable Receipt joinSiding(T transaction, Delivery delivery, Origin origin) {
        String key = delivery.event().key();
        if (origin == Origin.SIDING || key == null || !store.isAside(transaction, new OrderKey(name, key))) {
            return null;
        }
        return setAside(transaction, delivery, Setback.waiting());
    }

    private Receipt setAside(T transaction, Delivery delivery, Setback setback) {
        Claim claim = store.claimAside(transaction, InboxKey.of(name, delivery));
        if (!claim.isTaken()) {
            return receipt(claim);
        }
        meters.checked(claim);
        store.setAside(transaction, Siding.aside(name, delivery), delivery.replay(), setback);
        return Receipt.of(setback.isDead() ? Receipt.Kind.DEAD : Receipt.Kind.ASIDE);
    }

    private Receipt setAside(Delivery delivery, Setback setback, long epoch) {
        InboxKey key = InboxKey.of(name, delivery);
        try {
            return store.inTransaction(
                    transaction -> epoch > 0 && !store.release(transaction, key, epoch, Origin.SOURCE)
                            ? new Receipt(Receipt.Kind.BUSY, SHORTLY)
                            : setAside(transaction, delivery, setback));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new StoreException("Could not put " + key + " aside: " + e, e);
        }
    }

    private Receipt receipt(Claim claim) {
        meters.checked(claim);
        if (claim.isTaken()) {
            return Receipt.of(Receipt.Kind.HANDLED);
        }
        return claim.isDuplicate()
                ? Receipt.of(Receipt.Kind.DUPLICATE)
                : new Receipt(Receipt.Kind.BUSY, claim.busyFor());
    }

    private void run(HandlerGuard.Attempt attempt, long epoch, Origin origin) throws HandlerFailure {
        long start = System.nanoTime();
        AtomicBoolean ran = new AtomicBoolean();
        try {
            guard.run(name, () -> {
                ran.set(true);
                attempt.run();
            });
        } catch (DeferredException e) {
            // With a cause: the handler failed, and the guard says that everything does.
            if (ran.get() && e.getCause() != null && origin == Origin.SIDING) {
                throw new HandlerFailure(e, epoch);
            }
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeferredException("Interrupted while it was handled.", SHORTLY);
        } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
            throw new HandlerFailure(e, epoch);
        } finally {
            meters.took(System.nanoTime() - start);
        }
    }

    private Setback setback(Delivery delivery, HandlerFailure failure) {
        String text = failure.text();
        if (failure.isFinal() || config.retry().maxAttempts() == 1) {
            log.warn(
                    "Event {} is a dead letter of consumer {}: {}",
                    delivery.event().id(),
                    name,
                    OneLine.first(text));
            return Setback.dead(1, text);
        }
        log.debug("Event {} is put aside by consumer {}: {}", delivery.event().id(), name, OneLine.first(text));
        // Spread by event, and the same for the same one, so that a simulation can be repeated.
        SplittableRandom jitter =
                new SplittableRandom(delivery.event().id().getLeastSignificantBits() ^ name.hashCode());
        return Setback.retry(1, text, config.retry().wait(1, jitter));
    }

    /** What cannot be given back is free when its lease ends. */
    private void giveBack(InboxKey key, long epoch, Origin origin) {
        if (epoch == 0) {
            return;
        }
        try {
            store.inTransaction(transaction -> store.release(transaction, key, epoch, origin));
        } catch (Exception e) {
            log.warn("The lease of {} could not be released, and will end by itself: {}", key, e.toString());
        }
    }

    private Receipt tell(Receipt receipt) {
        meters.count(receipt);
        if (receipt.kind() == Receipt.Kind.ASIDE || receipt.kind() == Receipt.Kind.DEAD) {
            wakeUp.run();
            for (Runnable listener : listeners) {
                try {
                    listener.run();
                } catch (RuntimeException | LinkageError | AssertionError e) {
                    log.warn("A listener of consumer {} failed; the relay finds the event with its next poll", name, e);
                }
            }
        }
        return receipt;
    }

    /** Collects handlers and settings; not thread-safe. */
    public static final class Builder<T> {
        private final String name;
        private final InboxStore<T> store;
        private final Map<String, Handlers.Reading<T>> handlers = new HashMap<>();
        private final Set<String> ignored = new HashSet<>();
        private boolean ignoreOthers;
        private EventTypes types = EventTypes.builder().build();
        private HandlerGuard guard = HandlerGuard.none();
        private InboxConfig config = InboxConfig.defaults();
        private MeterRegistry registry = new CompositeMeterRegistry();

        private Builder(String name, InboxStore<T> store) {
            EventRules.name("consumer", name);
            this.name = name;
            this.store = store;
        }

        /** Handles the events of a type in the transaction of the inbox, each type by one handler. */
        public Builder<T> on(String type, InboxHandler<T> handler) {
            return add(type, Handlers.plain(handler));
        }

        /** Handles the typed values of a type, in the newest version that the {@linkplain #types upcasters} lead to. */
        public <V> Builder<T> on(String type, Class<V> valueClass, ValueHandler<T, V> handler) {
            return add(type, Handlers.typed(valueClass, handler));
        }

        /** Handles the events of a type under a lease, for effects outside of the inbox's database. */
        public Builder<T> onLeased(String type, LeasedHandler handler) {
            return add(type, Handlers.leased(handler));
        }

        /** Passes over the events of a type. Without a handler and not ignored, they are dead letters. */
        public Builder<T> ignore(String type) {
            EventRules.name("type", type);
            ignored.add(type);
            return this;
        }

        /** Passes over all types without a handler, those to come included. */
        public Builder<T> ignoreOtherTypes() {
            ignoreOthers = true;
            return this;
        }

        /** Typed values and upcasters; they apply to live, retried and dead-lettered events alike. */
        public Builder<T> types(EventTypes registered) {
            types = registered;
            return this;
        }

        /** What may hold handlers back, for instance a circuit breaker. */
        public Builder<T> guard(HandlerGuard guard) {
            this.guard = guard;
            return this;
        }

        public Builder<T> config(InboxConfig config) {
            this.config = config;
            return this;
        }

        public Builder<T> metrics(MeterRegistry registry) {
            this.registry = registry;
            return this;
        }

        public InboxConsumer<T> build() {
            if (handlers.isEmpty()) {
                throw new IllegalArgumentException(
                        "Consumer " + name + " has no handler; add one with on(type, handler).");
            }
            return new InboxConsumer<>(this);
        }

        private Builder<T> add(String type, Handlers.Reading<T> reading) {
            EventRules.name("type", type);
            if (handlers.putIfAbsent(type, reading) != null) {
                throw new IllegalArgumentException("Event type " + type + " has a handler already.");
            }
            return this;
        }
    }
}
