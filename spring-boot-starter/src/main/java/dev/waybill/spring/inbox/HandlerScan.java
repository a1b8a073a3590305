package dev.waybill.spring.inbox;

import dev.waybill.spring.EventHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods with {@link EventHandler} of all beans, without making one of them. */
final class HandlerScan {
    private static final Logger log = LoggerFactory.getLogger(HandlerScan.class);
    private static final String SPRING = "org.springframework.";

    private final ConfigurableListableBeanFactory beans;
    private final HandlerReader reader;

    HandlerScan(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.reader = new HandlerReader(beans);
    }

    /**
     * All handlers, always in the same order.
     *
     * @throws InvalidHandlerException if a method with the annotation cannot be a handler
     */
    List<HandlerMethod> find() {
        List<HandlerMethod> found = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class)) {
            Class<?> targetClass = targetClass(name);
            if (targetClass != null) {
                annotated(name, targetClass)
                        .forEach((method, handler) -> found.add(reader.read(name, targetClass, method, handler)));
            }
        }
        found.sort(Comparator.comparing(HandlerMethod::consumer).thenComparing(HandlerMethod::type));
        return found;
    }

    /** What stands behind the proxy, if there is one; {@code null}: nothing to look at. */
    private @Nullable Class<?> targetClass(String name) {
        // The proxy of a scoped bean has its name, and is looked at instead.
        if (ScopedProxyUtils.isScopedTarget(name)) {
            return null;
        }
        String behind = ScopedProxyUtils.getTargetBeanName(name);
        Class<?> type =
                AutoProxyUtils.determineTargetClass(beans, beans.containsBeanDefinition(behind) ? behind : name);
        boolean own = type != null
                && !type.getName().startsWith(SPRING)
                && AnnotationUtils.isCandidateClass(type, EventHandler.class);
        return own ? type : null;
    }

    /** None, if classes are missing that the methods speak of, as with optional parts of a library. */
    private static Map<Method, EventHandler> annotated(String name, Class<?> targetClass) {
        try {
            return MethodIntrospector.selectMethods(targetClass, (MethodIntrospector.MetadataLookup<EventHandler>)
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, EventHandler.class));
        } catch (NoClassDefFoundError | IllegalStateException | TypeNotPresentException e) {
            log.debug("Bean {} cannot be looked at, so it has no handlers", name, e);
            return Map.of();
        }
    }
}
