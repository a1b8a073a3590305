package dev.waybill.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.boot.WaybillProperties;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** Every setting in the metadata of the starter has a test that changes its effect: see {@link Setting}. */
class SettingsCoverageTest {
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    @Test
    void everySettingHasATestThatChangesItsEffect() throws Exception {
        Set<String> untested = settings();
        untested.removeAll(tested());
        assertThat(untested)
                .as("settings without a test: write one, with @Setting")
                .isEmpty();
    }

    @Test
    void everyTestedSettingExists() throws Exception {
        Set<String> unknown = tested();
        unknown.removeAll(settings());
        assertThat(unknown).as("names in @Setting that are no settings").isEmpty();
    }

    /** Names as in the metadata; those within maps, which it does not list, from the record of their values. */
    private static Set<String> settings() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Map<?, ?> property : metadata()) {
            String name = String.valueOf(property.get("name"));
            if (!name.startsWith("waybill.")) {
                // Boot makes settings of the endpoint by itself.
                continue;
            }
            Class<?> value = valueOfMap(name);
            if (value == null) {
                names.add(name);
            } else {
                addAll(name + ".*", value, names);
            }
        }
        return names;
    }

    private static List<Map<?, ?>> metadata() throws IOException {
        for (URL url :
                Collections.list(SettingsCoverageTest.class.getClassLoader().getResources(METADATA))) {
            try (InputStream stream = url.openStream()) {
                String json = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                if (json.contains("\"waybill.enabled\"")) {
                    Object properties =
                            JsonParserFactory.getJsonParser().parseMap(json).get("properties");
                    return ((List<?>) Objects.requireNonNull(properties))
                            .stream()
                                    .<Map<?, ?>>map(property -> (Map<?, ?>) property)
                                    .toList();
                }
            }
        }
        throw new AssertionError("The starter has no metadata: was it compiled without its annotation processor?");
    }

    /** The record that a map has as values; {@code null}: the setting is no such map. */
    private static @Nullable Class<?> valueOfMap(String name) {
        Class<?> type = WaybillProperties.class;
        @Nullable RecordComponent component = null;
        String[] elements = name.split("\\.", -1);
        for (int i = 1; i < elements.length; i++) {
            component = component(type, elements[i]);
            type = component.getType();
        }
        return component != null
                        && component.getGenericType() instanceof ParameterizedType generic
                        && generic.getActualTypeArguments().length == 2
                        && generic.getActualTypeArguments()[1] instanceof Class<?> value
                        && value.isRecord()
                ? value
                : null;
    }

    private static RecordComponent component(Class<?> type, String dashed) {
        return Arrays.stream(type.getRecordComponents())
                .filter(component -> dashed(component).equals(dashed))
                .findFirst()
                .orElseThrow(() -> new AssertionError(type + " has no " + dashed));
    }

    private static void addAll(String prefix, Class<?> type, Set<String> names) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + dashed(component);
            if (component.getType().isRecord()) {
                addAll(name, component.getType(), names);
            } else {
                names.add(name);
            }
        }
    }

    private static String dashed(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static Set<String> tested() throws IOException, URISyntaxException {
        Path classes = Path.of(SettingsCoverageTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(classes)) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .map(file -> classes.relativize(file).toString().replaceAll("[/\\\\]", "."))
                    .map(file -> load(file.substring(0, file.length() - ".class".length())))
                    .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                    .filter(method -> method.isAnnotationPresent(Setting.class))
                    .forEach(method -> names.addAll(
                            List.of(method.getAnnotation(Setting.class).value())));
        }
        return names;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, SettingsCoverageTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
