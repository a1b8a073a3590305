package dev.waybill.spring.boot;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.spring.outbox.OutboxUnit;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a unit and an outbox for each data source, with its bean name as qualifier.
 *
 * <p>Which ones is known while definitions are registered, so that other auto-configurations can ask for these beans.
 */
final class OutboxRegistrar implements ImportBeanDefinitionRegistrar {
    static final String UNITS = "waybillUnits";

    private final Environment environment;
    private final ConfigurableListableBeanFactory beans;

    OutboxRegistrar(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = (ConfigurableListableBeanFactory) beans;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        // First of all: data-sources may be misspelt.
        new UnknownSettings().check((ConfigurableEnvironment) environment);
        if (isThere(OutboxUnit.class)) {
            return;
        }
        boolean stored = environment.getProperty("waybill.outbox.enabled", Boolean.class, true);
        boolean replaced = isThere(TypedOutbox.class);
        List<String> names = new DataSourceNames(environment, beans).find();
        for (String name : names) {
            boolean primary = name.equals(names.get(0));
            String unit = beanName("waybillUnit", name, primary);
            if (stored) {
                registry.registerBeanDefinition(unit, unit(name, primary));
            }
            if (!replaced) {
                registry.registerBeanDefinition(
                        beanName("waybillOutbox", name, primary),
                        stored ? outbox(name, unit, primary) : direct(name, primary));
            }
        }
    }

    private boolean isThere(Class<?> type) {
        return beans.getBeanNamesForType(type, true, false).length > 0;
    }

    private static String beanName(String name, String dataSource, boolean primary) {
        return primary ? name : name + "-" + dataSource;
    }

    private static RootBeanDefinition unit(String dataSource, boolean primary) {
        RootBeanDefinition unit = madeBy(UNITS, "create", OutboxUnit.class);
        return definition(withArguments(unit, dataSource), dataSource, primary, UNITS, dataSource);
    }

    private static RootBeanDefinition outbox(String dataSource, String unit, boolean primary) {
        return definition(madeBy(unit, "outbox", TypedOutbox.class), dataSource, primary, unit);
    }

    private static RootBeanDefinition direct(String dataSource, boolean primary) {
        RootBeanDefinition direct = madeBy(UNITS, "direct", TypedOutbox.class);
        return definition(withArguments(direct, dataSource), dataSource, primary, UNITS, dataSource);
    }

    /** By the name of a method: Spring's ahead-of-time processing cannot write down a lambda. */
    private static RootBeanDefinition madeBy(String bean, String method, Class<?> type) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(type);
        definition.setFactoryBeanName(bean);
        definition.setFactoryMethodName(method);
        return definition;
    }

    private static RootBeanDefinition withArguments(RootBeanDefinition definition, String dataSource) {
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, dataSource);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(1, new RuntimeBeanReference(dataSource));
        return definition;
    }

    private static RootBeanDefinition definition(
            RootBeanDefinition definition, String qualifier, boolean primary, String... dependsOn) {
        definition.setDependsOn(dependsOn);
        definition.setPrimary(primary);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, qualifier));
        return definition;
    }
}
