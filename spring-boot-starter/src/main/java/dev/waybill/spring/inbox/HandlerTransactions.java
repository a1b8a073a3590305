package dev.waybill.spring.inbox;

import static dev.waybill.spring.inbox.HandlerReader.invalid;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.Transactional;

/**
 * Sees to it that what a handler does belongs to the transaction of its consumer: one of its own would commit or roll back
 * apart from the record that the event was handled.
 */
final class HandlerTransactions {
    /** By its name: not every application has it. */
    private static final String JAKARTA = "jakarta.transaction.Transactional";

    /** Spring and Jakarta name them alike. */
    private static final Set<String> APART = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

    private HandlerTransactions() {}

    static void requireJoining(Class<?> targetClass, Method method) {
        String own = propagation(method);
        String propagation = own == null ? propagation(targetClass) : own;
        if (propagation != null && APART.contains(propagation)) {
            throw invalid(
                    method,
                    "is @Transactional with " + propagation
                            + ", so that it would take effect apart from the record that it did; leave that out, or, for an"
                            + " effect outside of the database, set leased = true");
        }
    }

    private static @Nullable String propagation(AnnotatedElement element) {
        Transactional spring = AnnotatedElementUtils.findMergedAnnotation(element, Transactional.class);
        if (spring != null) {
            return spring.propagation().name();
        }
        AnnotationAttributes jakarta =
                AnnotatedElementUtils.findMergedAnnotationAttributes(element, JAKARTA, false, false);
        return jakarta == null ? null : String.valueOf(jakarta.get("value"));
    }

    /** Known only when the consumers' transaction manager is. */
    static void requireManager(
            ConfigurableListableBeanFactory beans, HandlerMethod handler, TransactionManager ofConsumers) {
        Method method = handler.method();
        Transactional own = AnnotatedElementUtils.findMergedAnnotation(method, Transactional.class);
        Transactional transactional = own == null
                ? AnnotatedElementUtils.findMergedAnnotation(method.getDeclaringClass(), Transactional.class)
                : own;
        if (handler.leased()
                || transactional == null
                || transactional.transactionManager().isEmpty()) {
            return;
        }
        String name = beans.resolveEmbeddedValue(transactional.transactionManager());
        if (name != null && !name.isEmpty() && find(beans, name) != ofConsumers) {
            throw invalid(
                    method,
                    "is @Transactional with the transaction manager \"" + name
                            + "\", which is not that of the consumers, so that it would take effect apart from the record"
                            + " that it did; leave the name out, or name the data source of that manager first in"
                            + " waybill.data-sources");
        }
    }

    private static @Nullable TransactionManager find(ConfigurableListableBeanFactory beans, String name) {
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, name);
        } catch (BeansException e) {
            return null;
        }
    }
}
