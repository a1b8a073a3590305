package dev.waybill.spring.outbox;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.store.NoTransactionException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Publishes those of Spring's application events whose class has {@link PublishedEvent}, in the transaction of the thread.
 * Thread-safe.
 */
public final class ApplicationEvents implements ApplicationListener<ApplicationEvent> {
    private final ApplicationContext context;
    private final Supplier<List<TypedOutbox>> outboxes;
    private final Map<Class<?>, Boolean> published = new ConcurrentHashMap<>();

    /**
     * Publishes with one of some outboxes.
     *
     * @param context  whose events are published, and those of its children without a listener of their own
     * @param outboxes the primary one first; asked for at the first event, because the context sends some before they are made
     */
    public ApplicationEvents(ApplicationContext context, Supplier<List<TypedOutbox>> outboxes) {
        this.context = context;
        this.outboxes = outboxes;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object value = event instanceof PayloadApplicationEvent<?> wrapped ? wrapped.getPayload() : event;
        if (published.computeIfAbsent(value.getClass(), ApplicationEvents::isPublished)
                && !isPublishedByAChild(event)) {
            outbox().publish(value);
        }
    }

    /** Spring passes the events of a context on to the listeners of its parents. */
    private boolean isPublishedByAChild(ApplicationEvent event) {
        ApplicationContext origin = event.getSource() instanceof ApplicationContext source ? source : null;
        for (; origin != null && origin != context; origin = origin.getParent()) {
            if (origin.getBeanNamesForType(ApplicationEvents.class).length > 0) {
                return true;
            }
        }
        return false;
    }

    /** Another thread would not be in the transaction, whatever the application's multicaster does with its events. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    /** That of the data source whose transaction is the innermost, or else the first one, which says what is wrong. */
    private TypedOutbox outbox() {
        List<TypedOutbox> all = outboxes.get();
        List<TypedOutbox> open = all.stream()
                .filter(outbox -> outbox instanceof JoiningOutbox joining && joining.isOpen())
                .toList();
        if (open.size() > 1) {
            throw new NoTransactionException("Transactions of several data sources are open, and which one the event"
                    + " belongs to cannot be told. Publish it with the outbox of its data source (inject TypedOutbox by"
                    + " @Qualifier with the data source's bean name), or make the transaction managers beans.");
        }
        return open.isEmpty() ? all.get(0) : open.get(0);
    }

    private static boolean isPublished(Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(type, PublishedEvent.class);
    }
}
