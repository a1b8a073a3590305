package dev.waybill.testkit.spring;

import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.outbox.OutboxUnit;
import dev.waybill.testkit.outbox.PublishedEvents;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Lets every outbox of the application remember what it publishes. Thread-safe. */
final class OutboxRecorder implements BeanPostProcessor {
    private final IdentityHashMap<TypedOutbox, RecordedOutbox> outboxes = new IdentityHashMap<>();

    @SuppressWarnings("ThreadLocalUsage") // contexts that run side by side must not see each other's events
    private final ThreadLocal<@Nullable List<Event>> seen = new ThreadLocal<>();

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof OutboxUnit unit) {
            return unit.withOutbox(recorded(unit.outbox()));
        }
        return bean instanceof TypedOutbox outbox ? recorded(outbox) : bean;
    }

    private synchronized TypedOutbox recorded(TypedOutbox outbox) {
        return outbox instanceof PublishedEvents
                ? outbox
                : outboxes.computeIfAbsent(outbox, target -> new RecordedOutbox(target, this::seenBy));
    }

    private List<Event> seenBy(Runnable publish) {
        List<Event> events = new ArrayList<>();
        seen.set(events);
        try {
            publish.run();
        } finally {
            seen.remove();
        }
        return events;
    }

    /** Asked for each event on the thread that publishes it, after all that may change it. */
    Event see(Event event) {
        List<Event> events = seen.get();
        if (events != null) {
            events.add(event);
        }
        return event;
    }

    synchronized void forget() {
        outboxes.values().forEach(RecordedOutbox::forget);
    }
}
