package dev.waybill.spring.boot;

import dev.waybill.OneLine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses settings that do not exist: one that is misspelt would otherwise be one that is not set.
 *
 * <p>The environment is shared with others: Waybill's command line has variables, and Kubernetes makes some for every
 * service. There, only what looks like a setting is refused: a misspelt one, or one in the wrong group.
 */
final class UnknownSettings {
    private static final Logger log = LoggerFactory.getLogger(UnknownSettings.class);
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("waybill");
    private static final int MISSPELT = 2;

    private final List<SettingName> settings = SettingName.all();
    private final NearestSetting nearest = new NearestSetting(settings);

    /** Throws with all names that are no settings, where they come from, and what may have been meant. */
    void check(ConfigurableEnvironment environment) {
        List<String> complaints = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
            if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource variables) {
                checkVariables(variables, complaints);
            } else if (source instanceof IterableConfigurationPropertySource named) {
                checkNames(named, complaints);
            }
        }
        if (!complaints.isEmpty()) {
            throw new SetupException(
                    "These are no settings of Waybill:\n" + String.join("\n", complaints),
                    "Correct or remove them. All settings are in docs/configuration.md.");
        }
    }

    private void checkNames(IterableConfigurationPropertySource source, List<String> complaints) {
        source.stream()
                .filter(ROOT::isAncestorOf)
                .filter(name -> settings.stream().noneMatch(setting -> setting.matches(name)))
                .filter(name -> !SectionValues.isEmpty(source.getConfigurationProperty(name))
                        || settings.stream().noneMatch(setting -> setting.isBelow(name)))
                .map(name -> complaint(name.toString(), origin(source, name), nearest.to(elements(name))))
                .distinct()
                .forEach(complaints::add);
    }

    private static List<String> elements(ConfigurationPropertyName name) {
        return IntStream.range(0, name.getNumberOfElements())
                .mapToObj(i -> name.chop(i + 1).isLastElementIndexed()
                        ? "[" + name.getElement(i, Form.ORIGINAL) + "]"
                        : name.getElement(i, Form.DASHED))
                .toList();
    }

    private static String origin(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        Origin origin = property == null ? null : property.getOrigin();
        return String.valueOf(origin == null ? source.getUnderlyingSource() : origin);
    }

    private void checkVariables(SystemEnvironmentPropertySource source, List<String> complaints) {
        List<String> others = new ArrayList<>();
        for (String variable : source.getPropertyNames()) {
            if (!isOurs(variable) || settings.stream().anyMatch(setting -> setting.matchesVariable(variable))) {
                continue;
            }
            Optional<String> meant = meant(variable);
            if (meant.isPresent()) {
                complaints.add(complaint(variable, "environment", meant));
            } else if (isInGroup(variable)) {
                others.add(variable);
            }
        }
        if (!others.isEmpty()) {
            log.warn(
                    "Variables of the environment that look like settings of Waybill and are none: {}",
                    OneLine.of(others.toString()));
        }
    }

    private static boolean isOurs(String variable) {
        return variable.toLowerCase(Locale.ROOT).matches("waybill[_.].*");
    }

    /** The setting that a variable is meant for, if it can hardly be anything else. */
    private Optional<String> meant(String variable) {
        String squeezed = SettingName.squeezed(variable);
        Optional<String> misspelt = settings.stream()
                .filter(setting -> !setting.elements().contains(SettingName.ANY))
                .filter(setting ->
                        NearestSetting.distance(squeezed, SettingName.squeezed(setting.toString())) <= MISSPELT)
                .map(SettingName::toString)
                .findFirst();
        if (misspelt.isPresent() || !isInGroup(variable)) {
            return misspelt;
        }
        List<String> parts = parts(variable);
        return settings.stream()
                .map(SettingName::last)
                .filter(last -> squeezed.endsWith(SettingName.squeezed(last)))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .flatMap(last -> nearest.to(List.of(parts.get(0), parts.get(1), last)));
    }

    private boolean isInGroup(String variable) {
        List<String> parts = parts(variable);
        return settings.stream()
                .anyMatch(setting -> setting.elements().size() > 2
                        && parts.size() > 2
                        && setting.elements().get(1).equals(parts.get(1)));
    }

    private static List<String> parts(String variable) {
        return Arrays.stream(variable.toLowerCase(Locale.ROOT).split("[_.]")).collect(Collectors.toList());
    }

    private static String complaint(String name, String origin, Optional<String> meant) {
        return OneLine.of("    " + name + " (" + origin + ")"
                + meant.map(setting -> ": did you mean " + setting + "?").orElse(""));
    }
}
