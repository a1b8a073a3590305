package dev.waybill.spring.boot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Finds out which data sources get an outbox. Immutable.
 *
 * @param environment has the setting
 * @param beans       the definitions of the application
 */
record DataSourceNames(Environment environment, ConfigurableListableBeanFactory beans) {
    private static final String SETTING = "waybill.data-sources";

    /** Bean names, the primary one first; never empty. */
    List<String> find() {
        List<String> named = Binder.get(environment)
                .bind(SETTING, Bindable.listOf(String.class))
                .orElse(List.of());
        return named.isEmpty() ? List.of(only()) : primaryFirst(checked(named));
    }

    private List<String> checked(List<String> named) {
        List<String> missing =
                named.stream().filter(name -> !beans.containsBean(name)).toList();
        if (!missing.isEmpty()) {
            throw new SetupException(
                    SETTING + " names " + missing + ", and there is no such data source.",
                    "Use names of beans: " + all() + ".");
        }
        return named;
    }

    private List<String> primaryFirst(List<String> named) {
        List<String> ordered = new ArrayList<>(named);
        named.stream().filter(this::isPrimary).findFirst().ifPresent(primary -> {
            ordered.remove(primary);
            ordered.add(0, primary);
        });
        return ordered;
    }

    private String only() {
        List<String> candidates = all().stream().filter(this::isCandidate).toList();
        if (candidates.isEmpty()) {
            throw new SetupException(
                    "Waybill keeps events in the application's database, and the application has no DataSource.",
                    "Set spring.datasource.url, or define a DataSource bean; if the application does not publish or"
                            + " consume events, set waybill.enabled=false or remove the starter.");
        }
        List<String> primary = candidates.stream().filter(this::isPrimary).toList();
        if (candidates.size() > 1 && primary.size() != 1) {
            throw new SetupException(
                    "The application has several data sources " + candidates + ", and none of them is primary.",
                    "Name those that events are published with: " + SETTING + "=" + String.join(",", candidates)
                            + "; or make one @Primary.");
        }
        return primary.isEmpty() ? candidates.get(0) : primary.get(0);
    }

    private List<String> all() {
        return Arrays.asList(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false));
    }

    /** A DataSource that injection points without a name would get. */
    private boolean isCandidate(String name) {
        BeanDefinition definition = definition(name);
        return definition == null
                || (definition.isAutowireCandidate()
                        && !definition.isFallback()
                        && !(definition instanceof AbstractBeanDefinition known && !known.isDefaultCandidate()));
    }

    private boolean isPrimary(String name) {
        BeanDefinition definition = definition(name);
        return definition != null && definition.isPrimary();
    }

    /** Of this context or a parent; null for a bean that was registered as an object. */
    private @Nullable BeanDefinition definition(String name) {
        try {
            return beans.getMergedBeanDefinition(name);
        } catch (NoSuchBeanDefinitionException e) {
            return null;
        }
    }
}
