package dev.waybill.spring.inbox;

import dev.waybill.event.Event;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxTransport;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Delivers to the handlers of this application: every consumer that has one for the event's type and destination. Immutable.
 *
 * <p>Without any, an event is tried again, because another process may have the handler already, as during a rolling
 * update; at last it becomes a visible dead letter.
 */
final class HandlerTransport implements Transport {

    /** The consumers of a type: of destinations that handlers name, and of all others. */
    private record Consuming(
            Map<String, Transport> named, @Nullable Transport others) {
        @Nullable
        Transport at(String destination) {
            Transport transport = named.get(destination);
            return transport == null ? others : transport;
        }
    }

    private final Map<String, Consuming> byType;

    private HandlerTransport(Map<String, Consuming> byType) {
        this.byType = byType;
    }

    /** Delivers to consumers on an executor. */
    static HandlerTransport to(
            Executor executor, List<HandlerMethod> handlers, Map<String, InboxConsumer<?>> consumers) {
        Map<String, List<HandlerMethod>> types = new TreeMap<>();
        handlers.forEach(handler ->
                types.computeIfAbsent(handler.type(), type -> new ArrayList<>()).add(handler));
        Map<List<InboxConsumer<?>>, Transport> shared = new HashMap<>();
        Map<String, Consuming> byType = new TreeMap<>();
        types.forEach((type, ofType) -> {
            Set<String> destinations = new HashSet<>();
            ofType.forEach(handler -> destinations.add(handler.destination()));
            Map<String, Transport> named = new HashMap<>();
            Transport others = null;
            for (String destination : destinations) {
                List<InboxConsumer<?>> taking = ofType.stream()
                        .filter(handler -> handler.listensTo(destination))
                        .<InboxConsumer<?>>map(handler -> Objects.requireNonNull(consumers.get(handler.consumer())))
                        .toList();
                Transport transport = shared.computeIfAbsent(
                        taking, all -> InboxTransport.to(executor, all.toArray(InboxConsumer<?>[]::new)));
                if (destination.isEmpty()) {
                    others = transport;
                } else {
                    named.put(destination, transport);
                }
            }
            byType.put(type, new Consuming(Map.copyOf(named), others));
        });
        return new HandlerTransport(byType);
    }

    boolean handles(Event event) {
        Consuming consuming = byType.get(event.type());
        return consuming != null && consuming.at(event.destination()) != null;
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        for (Delivery delivery : batch) {
            Event event = delivery.event();
            Consuming consuming = byType.get(event.type());
            Transport transport = consuming == null ? null : consuming.at(event.destination());
            if (transport == null) {
                listener.onResult(delivery, DeliveryResult.retry(missing(event, consuming)));
            } else {
                transport.send(List.of(delivery), listener);
            }
        }
    }

    private String missing(Event event, @Nullable Consuming consuming) {
        String found = consuming == null
                ? "there are handlers for the types " + new TreeSet<>(byType.keySet())
                : "those of its type listen to " + new TreeSet<>(consuming.named.keySet());
        return "No @EventHandler of this application takes events of type " + event.type() + " to destination "
                + event.destination() + "; " + found
                + ". Add a method with @EventHandler(consumer = \"...\") whose parameter is the event's value; or, if the"
                + " event leaves the application, set waybill.destinations." + event.destination()
                + ".transport. If it is a dead letter by then, replay it.";
    }

    @Override
    public void close() {}
}
