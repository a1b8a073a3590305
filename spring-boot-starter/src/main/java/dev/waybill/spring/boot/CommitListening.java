package dev.waybill.spring.boot;

import dev.waybill.spring.outbox.CommitListener;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Listens to the commits of all transaction managers that are beans. */
final class CommitListening implements BeanPostProcessor {
    private final CommitListener listener = new CommitListener();

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(listener);
        }
        return bean;
    }
}
