package dev.waybill.spring.boot;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The name of a setting, or of many that differ in a name of the user's. Immutable.
 *
 * @param elements as in the documents, with {@code *} for a name of the user's
 * @param kind     what may follow
 */
record SettingName(List<String> elements, Kind kind) {
    static final String ANY = "*";

    /** What may follow the name. */
    enum Kind {
        VALUE,
        /** A position, as in {@code waybill.data-sources[0]}. */
        LIST,
        /** Names of the user's. */
        MAP
    }

    /** All settings, as the record that they are bound to has them. */
    static List<SettingName> all() {
        List<SettingName> found = new ArrayList<>();
        collect(WaybillProperties.class, List.of("waybill"), found);
        return found;
    }

    private static void collect(Class<?> settings, List<String> prefix, List<SettingName> found) {
        for (RecordComponent component : settings.getRecordComponents()) {
            List<String> name = with(prefix, dashed(component.getName()));
            Class<?> type = component.getType();
            if (type.isRecord()) {
                collect(type, name, found);
            } else if (Map.class.isAssignableFrom(type)
                    && valueType(component) instanceof Class<?> value
                    && value.isRecord()) {
                collect(value, with(name, ANY), found);
            } else {
                found.add(new SettingName(name, kind(type)));
            }
        }
    }

    private static Kind kind(Class<?> type) {
        if (Map.class.isAssignableFrom(type)) {
            return Kind.MAP;
        }
        return Collection.class.isAssignableFrom(type) ? Kind.LIST : Kind.VALUE;
    }

    private static Type valueType(RecordComponent map) {
        return ((ParameterizedType) map.getGenericType()).getActualTypeArguments()[1];
    }

    private static List<String> with(List<String> prefix, String element) {
        List<String> name = new ArrayList<>(prefix);
        name.add(element);
        return List.copyOf(name);
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Whether a name in a file, on the command line or in a system property means this setting. */
    boolean matches(ConfigurationPropertyName name) {
        int given = name.getNumberOfElements();
        if (given < elements.size() || (given > elements.size() && kind == Kind.VALUE)) {
            return false;
        }
        return isAlike(name, elements.size())
                && (kind != Kind.LIST || given == elements.size() || name.isNumericIndex(elements.size()));
    }

    private boolean isAlike(ConfigurationPropertyName name, int count) {
        for (int i = 0; i < count; i++) {
            if (!isAny(i) && !squeezed(elements.get(i)).equals(name.getElement(i, Form.UNIFORM))) {
                return false;
            }
        }
        return true;
    }

    /** Whether settings like this one are below a name. */
    boolean isBelow(ConfigurationPropertyName name) {
        int given = name.getNumberOfElements();
        return (given < elements.size() || (given == elements.size() && kind == Kind.MAP)) && isAlike(name, given);
    }

    /** Whether a variable of the environment means this setting: there, dots and dashes are underlines or nothing. */
    boolean matchesVariable(String variable) {
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < elements.size(); i++) {
            pattern.append(isAny(i) ? ".+" : squeezed(elements.get(i)));
        }
        pattern.append(
                switch (kind) {
                    case VALUE -> "";
                    case LIST -> "[0-9]*";
                    case MAP -> ".*";
                });
        return Pattern.matches(pattern.toString(), squeezed(variable));
    }

    boolean isAny(int index) {
        return elements.get(index).equals(ANY);
    }

    String last() {
        return elements.get(elements.size() - 1);
    }

    /** Small letters and digits only: equal for all spellings that Spring Boot takes for the same. */
    static String squeezed(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9*]", "");
    }

    @Override
    public String toString() {
        return String.join(".", elements);
    }
}
