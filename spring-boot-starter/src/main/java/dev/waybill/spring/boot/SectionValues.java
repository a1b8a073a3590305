package dev.waybill.spring.boot;

import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Passes over values where a section of settings belongs, if nobody has meant one. Thread-safe.
 *
 * <p>A YAML file has an empty value there if all lines of the section are comments; and Kubernetes makes variables for each
 * service: one named waybill-consumers has WAYBILL_CONSUMERS_PORT, which is no consumer.
 */
final class SectionValues implements ConfigurationPropertiesBindHandlerAdvisor {
    private final List<SettingName> settings = SettingName.all();

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public @Nullable Object onFailure(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                    throws Exception {
                // The failure of a setting within the section comes by as well, in an exception that names it.
                if (error instanceof BindException || !isMeantByNobody(name, context)) {
                    return super.onFailure(name, target, context, error);
                }
                // Sections have defaults where they are bound to; all settings together have not.
                return name.getNumberOfElements() == 1 ? new Binder().bindOrCreate(name.toString(), target) : null;
            }
        };
    }

    private boolean isMeantByNobody(ConfigurationPropertyName name, BindContext context) {
        return settings.stream().anyMatch(setting -> setting.isBelow(name))
                && StreamSupport.stream(context.getSources().spliterator(), false)
                        .allMatch(source -> isMeantByNobody(source, source.getConfigurationProperty(name)));
    }

    private static boolean isMeantByNobody(
            ConfigurationPropertySource source, @Nullable ConfigurationProperty property) {
        return property == null
                || isEmpty(property)
                || source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }

    static boolean isEmpty(@Nullable ConfigurationProperty property) {
        return property != null && property.getValue().toString().isEmpty();
    }
}
