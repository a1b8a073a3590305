package dev.waybill.testkit.spring;

import dev.waybill.spring.EventCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.Ordered;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the customizer of the recorder after those of the application and of all auto-configurations: of several without an
 * order, the one that was registered last comes last, and sees the event as it will be stored.
 */
final class LastCustomizer implements DeferredImportSelector, Ordered {

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        return new String[] {Recording.class.getName()};
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Configuration(proxyBeanMethods = false)
    static class Recording {
        @Bean
        EventCustomizer waybillRecordingCustomizer(OutboxRecorder recorder) {
            return recorder::see;
        }
    }
}
