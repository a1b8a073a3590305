package dev.waybill.fuzz;

import dev.waybill.event.Event;
import dev.waybill.event.InvalidEventException;
import dev.waybill.relay.RelayAgent;
import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.RetryPolicy;
import dev.waybill.relay.Route;
import dev.waybill.relay.Routes;
import dev.waybill.store.DeadLetterPolicy;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.testkit.ManualClock;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** What transports answer, and what events are about: nothing of it stops a relay, loses an event or forges its log. */
public final class RelayTarget implements FuzzTarget {
    private static final Duration LONGEST_STEP = Duration.ofHours(1);
    private static final int STEPS = 100;

    @Override
    public void check(Input input) {
        ManualClock clock = new ManualClock();
        MemoryOutboxStore store = new MemoryOutboxStore(clock);
        List<Event> events;
        try {
            events = events(input);
        } catch (InvalidEventException e) {
            Expect.refusal(e);
            return;
        }
        try (MemoryTransaction transaction = store.begin()) {
            store.append(transaction, events, Set.of());
            transaction.commit();
        }
        run(relay(store, clock, new Scripted(answers(input))), clock);
        for (Event event : events) {
            Expect.that(!store.operations().find(event.id()).isEmpty(), "Event " + event.id() + " is lost");
        }
    }

    private static List<Event> events(Input input) {
        List<Event> events = new ArrayList<>();
        for (int left = input.count(); left > 0; left--) {
            Event.Builder event = Event.to("orders").type(input.text());
            String key = input.textOrNull();
            if (key != null) {
                event.key(key);
            }
            if (input.flag()) {
                event.availableAt(input.time());
            }
            events.add(event.build());
        }
        return events;
    }

    private static Queue<DeliveryResult> answers(Input input) {
        Queue<DeliveryResult> answers = new ArrayDeque<>();
        for (int left = input.count(); left > 0; left--) {
            answers.add(
                    switch (input.oneOf(0, 1, 2, 3, 4)) {
                        case 0 -> DeliveryResult.delivered();
                        case 1 -> DeliveryResult.retry(input.textOrNull());
                        case 2 -> DeliveryResult.retryAfter(input.textOrNull(), input.duration());
                        case 3 -> DeliveryResult.rejected(input.textOrNull());
                        default -> DeliveryResult.unavailable(input.textOrNull());
                    });
        }
        return answers;
    }

    private static RelayAgent relay(MemoryOutboxStore store, ManualClock clock, Transport transport) {
        Route route = Route.to(transport)
                .withRetry(RetryPolicy.defaults().withMaxAttempts(3))
                .withDeadLetters(DeadLetterPolicy.PARK);
        return new RelayAgent(
                new UUID(0, 1),
                store,
                Routes.builder().route("orders", route).build(),
                RelayConfig.defaults(),
                clock,
                new SplittableRandom(1),
                new SimpleMeterRegistry(),
                Runnable::run);
    }

    private static void run(RelayAgent relay, ManualClock clock) {
        for (int i = 0; i < STEPS; i++) {
            if (relay.doWork() == 0) {
                Duration idle = relay.idleFor();
                Expect.that(!idle.isNegative(), "It sleeps for " + idle);
                clock.advance(idle.compareTo(LONGEST_STEP) > 0 ? LONGEST_STEP : idle);
            }
        }
        relay.status().lastError().ifPresent(Expect::oneLine);
    }

    /** Answers as it was told, and then takes everything. */
    private record Scripted(Queue<DeliveryResult> answers) implements Transport {
        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            for (Delivery delivery : batch) {
                DeliveryResult answer = answers.poll();
                listener.onResult(delivery, answer == null ? DeliveryResult.delivered() : answer);
            }
        }

        @Override
        public void close() {}
    }
}
