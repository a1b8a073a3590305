package dev.waybill.spring.inbox;

import dev.waybill.inbox.HandlerGuard.Attempt;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.transport.Delivery;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** Calls a handler's method, with the interceptors around it. Thread-safe. */
final class HandlerCall {
    private final BeanFactory beans;
    private final HandlerMethod handler;
    private final List<HandlerInterceptor> interceptors;

    HandlerCall(BeanFactory beans, HandlerMethod handler, List<HandlerInterceptor> interceptors) {
        this.beans = beans;
        this.handler = handler;
        this.interceptors = List.copyOf(interceptors);
    }

    /**
     * Makes one try.
     *
     * @param value the payload as the method wants it; {@code null}: it does not want it
     */
    void run(@Nullable Object value, Delivery delivery) throws Exception {
        boolean[] ran = new boolean[1];
        Attempt attempt = () -> {
            ran[0] = true;
            invoke(value, delivery);
        };
        for (int i = interceptors.size() - 1; i >= 0; i--) {
            HandlerInterceptor interceptor = interceptors.get(i);
            Attempt inner = attempt;
            attempt = () -> interceptor.around(handler.consumer(), delivery, inner);
        }
        attempt.run();
        if (!ran[0]) {
            throw new IllegalStateException(
                    "A HandlerInterceptor kept event "
                            + delivery.event().id() + " from " + handler
                            + " and threw nothing, so that the event would count as handled. Let it call attempt.run(), or throw.");
        }
    }

    private void invoke(@Nullable Object value, Delivery delivery) throws Exception {
        Object bean = beans.getBean(handler.beanName());
        Object[] arguments = new Object[handler.arguments().size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = switch (handler.arguments().get(i)) {
                case VALUE -> value;
                case EVENT -> delivery.event();
                case DELIVERY -> delivery;
            };
        }
        try {
            invocable(bean).invoke(bean, arguments);
        } catch (InvocationTargetException e) {
            // What the method threw, so that its kind decides: business errors are not tried again.
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }

    /** A proxy by interfaces has the method of the interface only. */
    private Method invocable(Object bean) {
        Method method = handler.method().getDeclaringClass().isInstance(bean)
                ? handler.method()
                : AopUtils.selectInvocableMethod(handler.method(), bean.getClass());
        ReflectionUtils.makeAccessible(method);
        return method;
    }
}
