package dev.waybill.relay;

import dev.waybill.OneLine;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.Entry;
import dev.waybill.store.Outcome;
import dev.waybill.store.ParkedKey;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Term;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends parcels and turns the answers into outcomes. Owned by the relay's thread; answers come through the mailbox.
 *
 * <p>Every send has an id of its own. An answer counts for the send that it belongs to and for nothing else: after
 * a time-out, a crash or a lost lease it finds nothing.
 */
final class Courier {
    private static final Logger log = LoggerFactory.getLogger(Courier.class);

    private final Depot depot;
    private final Settler settler;
    private final Mailbox mailbox;
    private final RelayConfig config;
    private final RandomGenerator random;
    private final LongSupplier clock;
    private final Counters counters;
    private final BooleanSupplier maySend;
    private final BiConsumer<Term, String> unknown;

    /** Unanswered sends by id, the oldest first. */
    private final Map<Long, Parcel> inFlight = new LinkedHashMap<>();

    private long lastSendId;

    Courier(
            Depot depot,
            Settler settler,
            Mailbox mailbox,
            RelayConfig config,
            RandomGenerator random,
            LongSupplier clock,
            Counters counters,
            BooleanSupplier maySend,
            BiConsumer<Term, String> unknown) {
        this.depot = depot;
        this.settler = settler;
        this.mailbox = mailbox;
        this.config = config;
        this.random = random;
        this.clock = clock;
        this.counters = counters;
        this.maySend = maySend;
        this.unknown = unknown;
    }

    int inFlight() {
        return inFlight.size();
    }

    /** When the oldest send times out. */
    long nextTimeout() {
        for (Parcel oldest : inFlight.values()) {
            return oldest.sentAt + config.deliveryTimeout().toNanos();
        }
        return Long.MAX_VALUE;
    }

    /** When the next destination is probed. */
    long nextProbe() {
        long next = Long.MAX_VALUE;
        for (Destination destination : depot.destinations()) {
            if (destination.probe != null && destination.probe.state == Parcel.State.PROBE) {
                next = Math.min(next, destination.probeAt);
            }
        }
        return next;
    }

    private @Nullable Parcel land(long sendId) {
        Parcel parcel = inFlight.remove(sendId);
        if (parcel != null) {
            parcel.destination().onTheWay--;
        }
        return parcel;
    }

    /** Takes in all answers that have arrived. */
    int collect(long now) {
        int collected = 0;
        for (Mailbox.Answer answer = mailbox.pollAnswer(); answer != null; answer = mailbox.pollAnswer()) {
            Parcel parcel = land(answer.sendId());
            if (parcel == null || parcel.isForgotten()) {
                log.debug("Ignored an answer to send {}: it was answered, timed out or lost before", answer.sendId());
                continue;
            }
            parcel.destination()
                    .meters
                    .duration(resultOf(answer.result()))
                    .record(now - parcel.sentAt, TimeUnit.NANOSECONDS);
            settle(parcel, answer.result(), now);
            collected++;
        }
        return collected;
    }

    /** Sends of terms that have ended get no answer: nothing waits for them. */
    int forgetRecalled() {
        int before = inFlight.size();
        inFlight.values().removeIf(parcel -> {
            boolean recalled = parcel.state == Parcel.State.RECALLED;
            parcel.destination().onTheWay -= recalled ? 1 : 0;
            return recalled;
        });
        return before - inFlight.size();
    }

    /** Gives up on sends without an answer. */
    int expire(long now) {
        Duration timeout = config.deliveryTimeout();
        int expired = 0;
        while (!inFlight.isEmpty()) {
            Map.Entry<Long, Parcel> oldest = inFlight.entrySet().iterator().next();
            if (now - oldest.getValue().sentAt < timeout.toNanos()) {
                break;
            }
            land(oldest.getKey());
            Parcel parcel = oldest.getValue();
            if (!parcel.isForgotten()) {
                parcel.destination()
                        .meters
                        .duration(DestinationMeters.Result.TIMEOUT)
                        .record(now - parcel.sentAt, TimeUnit.NANOSECONDS);
                missing(parcel, "No answer within " + timeout + "; the outcome is unknown", now);
                expired++;
            }
        }
        return expired;
    }

    private void missing(Parcel parcel, String reason, long now) {
        if (carrier(parcel) instanceof Term term) {
            // It may be in the ledger: to write down a failure, and send it again, would be a duplicate.
            unknown.accept(term, reason);
            return;
        }
        boolean probe = parcel == parcel.destination().probe;
        settle(parcel, probe ? DeliveryResult.unavailable(reason) : DeliveryResult.retry(reason), now);
    }

    /** Sends all that is ready, in one batch for each transport. */
    int send(long now) {
        Map<Transport, List<Parcel>> batches = new LinkedHashMap<>();
        int owned = depot.shards().size();
        depot.destinations().forEach(destination -> sendThrottled(destination, owned, now, batches));
        for (Line line = depot.pollReady(); line != null; line = depot.pollReady()) {
            Destination destination = line.destination;
            if (!destination.isLimited()) {
                sendNext(line, Integer.MAX_VALUE, batches);
            } else if (mayBeSent(line)) {
                line.scheduled = true;
                destination.throttled.add(line);
                sendThrottled(destination, owned, now, batches);
            }
        }
        for (Destination destination : depot.destinations()) {
            Parcel probe = destination.probe;
            if (probe != null && probe.state == Parcel.State.PROBE && destination.probeAt <= now) {
                add(probe, batches);
            }
        }
        int sent = 0;
        for (Map.Entry<Transport, List<Parcel>> batch : batches.entrySet()) {
            // Asked each time: the transport before may have kept this thread until the leases ended.
            if (maySend.getAsBoolean()) {
                send(batch.getKey(), batch.getValue());
                sent += batch.getValue().size();
            } else {
                batch.getValue().forEach(this::putBack);
            }
        }
        return sent;
    }

    private void putBack(Parcel parcel) {
        parcel.destination().onTheWay--;
        if (parcel.state == Parcel.State.QUEUED) {
            parcel.line.land(parcel);
            parcel.line.add(parcel);
            depot.advance(parcel.line);
        }
    }

    /** Those that have waited longest, as many as the destination's limits allow. */
    private void sendThrottled(Destination destination, int owned, long now, Map<Transport, List<Parcel>> batches) {
        for (Line line = destination.throttled.peek(); line != null; line = destination.throttled.peek()) {
            if (mayBeSent(line) && (destination.isFull() || !destination.tryTake(now, owned))) {
                return;
            }
            destination.throttled.remove();
            line.scheduled = false;
            sendNext(line, 1, batches);
        }
    }

    /** When the rate of a destination allows another delivery. */
    long nextThrottled(long now) {
        long next = Long.MAX_VALUE;
        for (Destination destination : depot.destinations()) {
            // One that is full waits for an answer, which wakes the relay.
            if (!destination.throttled.isEmpty() && !destination.isFull()) {
                next = Math.min(next, destination.nextAt(now, depot.shards().size()));
            }
        }
        return next;
    }

    private static boolean mayBeSent(Line line) {
        return !line.shard.dropped
                && line.onTheWay == null
                && !line.queue.isEmpty()
                && !line.shard.isClosedTo(line.destination);
    }

    /** One parcel, or as many as may be on their way together. */
    private static void sendNext(Line line, int most, Map<Transport, List<Parcel>> batches) {
        if (!mayBeSent(line)) {
            return;
        }
        int run = carrier(line.queue.element()).keepsOrder() ? most : 1;
        for (int i = 0; i < run && !line.queue.isEmpty(); i++) {
            Parcel parcel = line.queue.remove();
            line.depart(parcel);
            add(parcel, batches);
        }
    }

    private static void add(Parcel parcel, Map<Transport, List<Parcel>> batches) {
        parcel.destination().onTheWay++;
        batches.computeIfAbsent(carrier(parcel), transport -> new ArrayList<>()).add(parcel);
    }

    private void send(Transport transport, List<Parcel> parcels) {
        // Not when the step began: reading, or the transport before, may have taken as long as an answer may.
        long now = clock.getAsLong();
        List<Delivery> batch = new ArrayList<>(parcels.size());
        for (Parcel parcel : parcels) {
            parcel.state = Parcel.State.SENT;
            parcel.sentAt = now;
            parcel.destination().meters.attempts.increment();
            parcel.sendId = ++lastSendId;
            inFlight.put(parcel.sendId, parcel);
            batch.add(delivery(parcel, parcel.sendId));
        }
        try {
            transport.send(batch, mailbox);
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            log.warn("Transport {} threw while sending {} deliveries", transport, batch.size(), e);
            if (transport instanceof Term term) {
                unknown.accept(term, "It threw " + e);
                return;
            }
            // Some may have been answered before: the first answer to a send counts.
            batch.forEach(delivery -> mailbox.onResult(delivery, DeliveryResult.retry("The transport threw " + e)));
        }
    }

    private void settle(Parcel parcel, DeliveryResult result, long now) {
        Destination destination = parcel.destination();
        boolean probed = parcel == destination.probe;
        if (result instanceof DeliveryResult.Unavailable unavailable) {
            unavailable(parcel, unavailable.reason(), now);
            return;
        }
        parcel.state = Parcel.State.ANSWERED;
        if (!(result instanceof DeliveryResult.Delivered)) {
            recallBehind(parcel);
        }
        parcel.line.land(parcel);
        if (result instanceof DeliveryResult.Retry retry) {
            failed(parcel, retry.reason(), retry.after());
        } else if (result instanceof DeliveryResult.Rejected rejected) {
            died(parcel, rejected.reason());
        } else {
            settler.add(parcel, new Outcome.Delivered(parcel.shard().number(), parcel.sequence()));
        }
        if (probed) {
            log.info("Destination {} is back", destination.name);
            depot.resume(destination);
        }
        depot.advance(parcel.line);
    }

    /** What was sent together with a parcel that failed has not arrived either: it waits in the store like the rest of its key. */
    private void recallBehind(Parcel failed) {
        Line line = failed.line;
        if (!line.behind.isEmpty()) {
            // What was queued meanwhile comes after all of that.
            depot.unqueue(line);
        }
        for (Parcel parcel = line.behind.pollFirst(); parcel != null; parcel = line.behind.pollFirst()) {
            land(parcel.sendId);
            parcel.state = Parcel.State.RECALLED;
            line.passOver(parcel.sequence());
            line.shard.passedOver.add(parcel.sequence());
            depot.close(parcel);
        }
    }

    private void failed(Parcel parcel, String reason, @Nullable Duration atLeast) {
        RetryPolicy policy = route(parcel).retry();
        int failures = parcel.entry.attempts() + 1;
        counters.lastError = parcel.entry + ": " + OneLine.first(reason);
        if (failures >= policy.maxAttempts()) {
            died(parcel, reason);
            return;
        }
        Duration wait = policy.wait(failures, random);
        if (atLeast != null && atLeast.compareTo(wait) > 0) {
            wait = atLeast;
        }
        log.debug("{} failed {} times, tried again in {}: {}", parcel.entry, failures, wait, OneLine.first(reason));
        if (parcel.line.key != null) {
            // Later entries of the key must not overtake it.
            depot.unqueue(parcel.line);
            parcel.line.hold(parcel.sequence());
        }
        settler.add(parcel, new Outcome.Retried(parcel.shard().number(), parcel.sequence(), wait, reason));
    }

    private void died(Parcel parcel, String reason) {
        DeadLetterPolicy policy = route(parcel).deadLetters();
        Line line = parcel.line;
        boolean parks = line.key != null && policy == DeadLetterPolicy.PARK;
        counters.lastError = parcel.entry + ": " + OneLine.first(reason);
        log.warn(
                "{} is a dead letter after {} attempts{}: {}",
                parcel.entry,
                parcel.entry.attempts() + 1,
                parks ? ", and its key is parked" : "",
                OneLine.first(reason));
        if (line.key != null && parks) {
            depot.unqueue(line);
            line.shard.parked.put(line.key, ParkedKey.State.PARKED);
            // What is lower was put back or committed late, and passed over meanwhile.
            line.shard.holdFrom(line.key, Math.min(parcel.sequence(), line.takeLeft()));
        } else {
            // The next one must wait until the death is written: if it never is, this one will be sent again.
            line.onTheWay = parcel;
        }
        settler.add(parcel, new Outcome.Died(parcel.shard().number(), parcel.sequence(), reason, policy));
    }

    private void unavailable(Parcel parcel, String reason, long now) {
        Destination destination = parcel.destination();
        recallBehind(parcel);
        counters.lastError = destination.name + ": " + OneLine.first(reason);
        boolean wasOpen = !destination.isPaused();
        if (wasOpen) {
            log.warn("Destination {} is unavailable and paused: {}", destination.name, OneLine.first(reason));
            depot.pause(destination, reason);
        }
        boolean free = destination.probe == null || destination.probe == parcel;
        boolean probes = free && !parcel.shard().draining && !destination.stopped;
        if (!destination.stopped && (wasOpen || destination.probe == parcel)) {
            destination.failures++;
            destination.probeAt = now + probeWait(destination.failures);
        }
        if (probes) {
            destination.probe = parcel;
            parcel.state = Parcel.State.PROBE;
        } else {
            parcel.line.land(parcel);
            depot.sendBack(parcel);
            depot.advance(parcel.line);
        }
    }

    /** At least half of the bound: probing at once, as full jitter may, would be no pause. */
    private long probeWait(int failures) {
        return config.probe().bound(failures) / 2
                + config.probe().wait(failures, random).toNanos() / 2;
    }

    private static DestinationMeters.Result resultOf(DeliveryResult result) {
        if (result instanceof DeliveryResult.Delivered) {
            return DestinationMeters.Result.DELIVERED;
        }
        if (result instanceof DeliveryResult.Retry) {
            return DestinationMeters.Result.RETRY;
        }
        return result instanceof DeliveryResult.Rejected
                ? DestinationMeters.Result.REJECTED
                : DestinationMeters.Result.UNAVAILABLE;
    }

    /** What is sent and not yet answered. */
    List<Delivery> deliveries() {
        List<Delivery> deliveries = new ArrayList<>(inFlight.size());
        inFlight.forEach((sendId, parcel) -> deliveries.add(delivery(parcel, sendId)));
        return deliveries;
    }

    private static Delivery delivery(Parcel parcel, long sendId) {
        Entry entry = parcel.entry;
        return new Delivery(entry.event(), entry.sequence(), entry.attempts() + 1, entry.replay(), sendId);
    }

    /** What takes the parcel: the route's transport, or the term that the shard has with it. */
    private static Transport carrier(Parcel parcel) {
        Transport transport = route(parcel).transport();
        Term term = parcel.shard().term(transport);
        return term == null ? transport : term;
    }

    private static Route route(Parcel parcel) {
        return Objects.requireNonNull(parcel.destination().route, "a destination without a route gets nothing");
    }
}
