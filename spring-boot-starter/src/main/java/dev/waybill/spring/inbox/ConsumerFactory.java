package dev.waybill.spring.inbox;

import dev.waybill.event.EventTypes;
import dev.waybill.inbox.DeferredException;
import dev.waybill.inbox.HandlerGuard;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxStore;
import dev.waybill.spring.Upcast;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;

/** Makes a consumer of its methods. */
final class ConsumerFactory {
    private static final HandlerGuard SWITCHED_OFF = (consumer, attempt) -> {
        throw new DeferredException(
                "Consumer " + consumer + " is switched off in this process.", Duration.ofSeconds(1));
    };

    private final BeanFactory beans;
    private final InboxStore<Connection> inbox;
    private final Handling handling;

    ConsumerFactory(BeanFactory beans, InboxStore<Connection> inbox, Handling handling) {
        this.beans = beans;
        this.inbox = inbox;
        this.handling = handling;
    }

    InboxConsumer<Connection> make(String name, List<HandlerMethod> handlers, ConsumerSettings settings) {
        requireOneForEachType(handlers);
        EventTypes types = types(handlers);
        InboxConsumer.Builder<Connection> builder = InboxConsumer.named(name, inbox)
                .types(types)
                .guard(settings.enabled() ? handling.guard() : SWITCHED_OFF)
                .config(settings.config())
                .metrics(handling.registry());
        if (settings.ignoresOtherTypes()) {
            builder.ignoreOtherTypes();
        }
        handlers.forEach(handler -> add(builder, handler, types));
        return builder.build();
    }

    private void add(InboxConsumer.Builder<Connection> builder, HandlerMethod handler, EventTypes types) {
        HandlerCall call = new HandlerCall(beans, handler, handling.interceptors());
        Class<?> valueClass = handler.valueClass();
        if (handler.leased()) {
            builder.onLeased(
                    handler.type(),
                    (delivery, epoch) ->
                            call.run(valueClass == null ? null : types.decode(delivery.event()), delivery));
        } else if (valueClass == null) {
            builder.on(handler.type(), (connection, delivery) -> call.run(null, delivery));
        } else {
            builder.on(handler.type(), valueClass, (connection, value, delivery) -> call.run(value, delivery));
        }
    }

    private EventTypes types(List<HandlerMethod> handlers) {
        EventTypes.Builder types = EventTypes.builder();
        handling.upcasts().forEach(upcast -> types.upcast(upcast.type(), upcast.fromVersion(), upcast.upcaster()));
        for (HandlerMethod handler : handlers) {
            Class<?> valueClass = handler.valueClass();
            if (valueClass != null) {
                requireNewest(handler);
                types.read(handler.type(), handler.version(), valueClass, handling.codec());
            }
        }
        return types.build();
    }

    private void requireNewest(HandlerMethod handler) {
        for (Upcast upcast : handling.upcasts()) {
            if (upcast.type().equals(handler.type()) && upcast.fromVersion() == handler.version()) {
                throw new InvalidHandlerException(
                        "@EventHandler " + handler + " takes version " + handler.version() + " of " + handler.type()
                                + ", which an Upcast bean makes version " + (handler.version() + 1)
                                + " of before it is handled. Let it take that version: @EventHandler(version = "
                                + (handler.version() + 1) + "), or @PublishedEvent of its class.");
            }
        }
    }

    private static void requireOneForEachType(List<HandlerMethod> handlers) {
        Map<String, HandlerMethod> byType = new HashMap<>();
        for (HandlerMethod handler : handlers) {
            HandlerMethod other = byType.putIfAbsent(handler.type(), handler);
            if (other != null) {
                throw new InvalidHandlerException(
                        "Consumer " + handler.consumer() + " has two handlers for events of type "
                                + handler.type() + ": " + other + " of bean " + other.beanName() + " and " + handler
                                + " of bean " + handler.beanName()
                                + ". Give one of them a consumer of its own, so that each is done once and fails by itself.");
            }
        }
    }
}
