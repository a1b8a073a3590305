package dev.waybill.spring.inbox;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method that handles the events of a type. Immutable.
 *
 * @param beanName    whose method it is; the bean is looked up with every call, and may be lazy or a prototype
 * @param consumer    the consumer that it belongs to
 * @param destination the only destination that it listens to; empty: any
 * @param type        the name of the event's type
 * @param version     the version that the value's class stands for
 * @param valueClass  what the payload is read as; {@code null}: it is not read
 * @param arguments   what the parameters get
 * @param leased      whether it runs under a lease, and not in a transaction
 */
record HandlerMethod(
        String beanName,
        Method method,
        String consumer,
        String destination,
        String type,
        int version,
        @Nullable Class<?> valueClass,
        List<Argument> arguments,
        boolean leased) {

    /** What a parameter gets. */
    enum Argument {
        VALUE,
        EVENT,
        DELIVERY
    }

    HandlerMethod {
        arguments = List.copyOf(arguments);
    }

    boolean listensTo(String where) {
        return destination.isEmpty() || destination.equals(where);
    }

    /** For messages. */
    @Override
    public String toString() {
        return describe(method);
    }

    static String describe(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "()";
    }
}
