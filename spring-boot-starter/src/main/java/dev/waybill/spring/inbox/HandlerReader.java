package dev.waybill.spring.inbox;

import static dev.waybill.spring.inbox.HandlerMethod.describe;

import dev.waybill.event.Event;
import dev.waybill.event.EventRules;
import dev.waybill.event.InvalidEventException;
import dev.waybill.spring.EventHandler;
import dev.waybill.spring.EventType;
import dev.waybill.spring.PublishedEvent;
import dev.waybill.spring.inbox.HandlerMethod.Argument;
import dev.waybill.transport.Delivery;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/** Makes a handler of a method, or says why it cannot be one. */
final class HandlerReader {
    private final ConfigurableListableBeanFactory beans;

    HandlerReader(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    HandlerMethod read(String beanName, Class<?> targetClass, Method method, EventHandler handler) {
        requireCallable(beanName, method);
        requireSynchronous(targetClass, method);
        if (!handler.leased()) {
            HandlerTransactions.requireJoining(targetClass, method);
        }
        List<Argument> arguments = new ArrayList<>();
        Class<?> valueClass = null;
        for (int i = 0; i < method.getParameterCount(); i++) {
            ResolvableType parameter = ResolvableType.forMethodParameter(method, i, targetClass);
            Argument argument = argument(parameter.toClass());
            if (arguments.contains(argument)) {
                throw invalid(
                        method,
                        "has two parameters of the same kind; it takes one value of an event, or its Event,"
                                + " and if it likes the Delivery");
            }
            arguments.add(argument);
            if (argument == Argument.VALUE) {
                valueClass = valueClass(method, parameter);
            }
        }
        if (arguments.isEmpty()) {
            throw invalid(method, "has no parameter; let it take the value of the event, or its Event");
        }
        EventType type = type(method, handler, valueClass);
        return new HandlerMethod(
                beanName,
                method,
                name(method, "consumer", resolve(handler.consumer())),
                destination(method, handler, valueClass),
                name(method, "type", type.name()),
                type.version(),
                valueClass,
                arguments,
                handler.leased());
    }

    private void requireCallable(String beanName, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            throw invalid(method, "is private or static, which no proxy sees; leave the modifier out");
        }
        Class<?> beanClass = beans.getType(beanName, false);
        if (beanClass == null) {
            return;
        }
        if (beanClass.getName().contains(ClassUtils.CGLIB_CLASS_SEPARATOR) && Modifier.isFinal(modifiers)) {
            throw invalid(method, "is final, and its bean has a proxy that could not pass the call on; leave it out");
        }
        try {
            AopUtils.selectInvocableMethod(method, beanClass);
        } catch (IllegalStateException e) {
            throw invalid(
                    method,
                    "is not in an interface of its bean's proxy; declare it there, or set"
                            + " spring.aop.proxy-target-class=true");
        }
    }

    /** An event is handled when its handler returns: what goes on after that may fail unseen. */
    private static void requireSynchronous(Class<?> targetClass, Method method) {
        Class<?> returned = method.getReturnType();
        if (returned != void.class) {
            throw invalid(
                    method,
                    "returns a " + returned.getSimpleName()
                            + ", which would be dropped, and what it stands for may never run; wait for the result and"
                            + " return nothing");
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(targetClass, Async.class)) {
            throw invalid(method, "is @Async, but its transaction ends when it returns; leave that out");
        }
    }

    private static Argument argument(Class<?> parameter) {
        if (parameter == Event.class) {
            return Argument.EVENT;
        }
        return parameter == Delivery.class ? Argument.DELIVERY : Argument.VALUE;
    }

    private static Class<?> valueClass(Method method, ResolvableType parameter) {
        Class<?> resolved = parameter.resolve();
        if (resolved == null || resolved.isPrimitive()) {
            throw invalid(
                    method, "has a parameter of type " + parameter + "; let it take the class of the event's value");
        }
        if (parameter.hasGenerics()) {
            throw invalid(
                    method,
                    "has a parameter of the generic type " + parameter
                            + ", which cannot be read from a payload; let it take a class of its own, or the Event");
        }
        return resolved;
    }

    private EventType type(Method method, EventHandler handler, @Nullable Class<?> valueClass) {
        if (valueClass == null && handler.type().isEmpty()) {
            throw invalid(method, "takes no value, so that nothing says which events it is for; set type");
        }
        EventType ofClass = valueClass == null ? new EventType("", 1) : EventType.of(valueClass);
        if (handler.version() < 0) {
            throw invalid(method, "has version " + handler.version() + "; versions start at 1");
        }
        return new EventType(
                handler.type().isEmpty() ? ofClass.name() : resolve(handler.type()),
                handler.version() == 0 ? ofClass.version() : handler.version());
    }

    private String destination(Method method, EventHandler handler, @Nullable Class<?> valueClass) {
        String named = handler.destination();
        if (named.isEmpty() && valueClass != null) {
            PublishedEvent published = AnnotatedElementUtils.findMergedAnnotation(valueClass, PublishedEvent.class);
            named = published == null ? "" : published.destination();
        }
        return named.isEmpty() ? "" : name(method, "destination", resolve(named));
    }

    private String resolve(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }

    private static String name(Method method, String what, String name) {
        try {
            EventRules.name(what, name);
            return name;
        } catch (InvalidEventException e) {
            throw invalid(method, "names a " + what + " that is not allowed: " + e.getMessage());
        }
    }

    static InvalidHandlerException invalid(Method method, String why) {
        return new InvalidHandlerException("@EventHandler " + describe(method) + " " + why + ".");
    }
}
