package dev.waybill.spring.boot;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/** Where Kafka is, if the application has it. */
final class KafkaBrokers {
    static final String TRANSPORT = "dev.waybill.transport.kafka.KafkaTransport";

    private KafkaBrokers() {}

    /** Waybill's own setting, or that of Spring for Apache Kafka; empty: there is none. */
    static String of(Environment environment) {
        String own = joined(environment, "waybill.kafka.bootstrap-servers");
        return own.isEmpty() ? joined(environment, "spring.kafka.bootstrap-servers") : own;
    }

    static boolean areUsed(Environment environment) {
        return ClassUtils.isPresent(TRANSPORT, KafkaBrokers.class.getClassLoader())
                && !of(environment).isEmpty();
    }

    private static String joined(Environment environment, String setting) {
        return Binder.get(environment)
                .bind(setting, Bindable.listOf(String.class))
                .map(brokers -> String.join(",", brokers))
                .orElse("")
                .strip();
    }

    /** Matches if brokers are set. */
    static final class Known implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !of(context.getEnvironment()).isEmpty();
        }
    }
}
