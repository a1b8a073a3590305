package dev.waybill.spring.boot;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Makes the reference of all settings: names, types and defaults from the record that they are bound to, meanings from its
 * Javadoc. The metadata in the jar knows nothing of what is within maps.
 */
final class ConfigurationReference {
    private static final Path SOURCE =
            Path.of("src", "main", "java", "dev", "waybill", "spring", "boot", "WaybillProperties.java");
    private static final Pattern RECORD =
            Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/[^/{]*?record (\\w+)\\(", Pattern.DOTALL);
    private static final Pattern PARAM = Pattern.compile("@param (\\w+) +(.*?)(?=@param|$)", Pattern.DOTALL);
    private static final Map<String, String> TYPES = Map.of(
            "boolean", "`true`, `false`",
            "Boolean", "`true`, `false`",
            "int", "number",
            "long", "number",
            "Integer", "number",
            "Double", "number",
            "String", "text",
            "Duration", "duration",
            "DataSize", "size");

    private record Row(String name, String type, String usual, String meaning) {}

    private record Group(String title, List<Row> rows) {}

    private final Map<String, String> javadocs = new HashMap<>();
    private final Map<String, Group> groups = new TreeMap<>();

    ConfigurationReference() throws IOException {
        Matcher matcher = RECORD.matcher(Files.readString(SOURCE));
        while (matcher.find()) {
            javadocs.put(
                    matcher.group(2),
                    matcher.group(1).replaceAll("\\s*\\n\\s*\\*", "\n").strip());
        }
        collect(WaybillProperties.class, "waybill");
    }

    String text() {
        StringBuilder text = new StringBuilder("""
                # Settings of the Spring Boot starter

                Made from the settings themselves: do not edit. `*` stands for a name of yours, in brackets if there are dots in it
                (`waybill.destinations.[orders.eu].topic`). A `waybill.*` key that is not here fails the start.
                """);
        groups.forEach((name, group) -> {
            text.append("\n## `").append(name).append("`\n\n").append(group.title);
            text.append("\n\n| name | type | default | meaning |\n|---|---|---|---|\n");
            group.rows.stream()
                    .sorted(Comparator.comparing(Row::name))
                    .forEach(row -> text.append("| `")
                            .append(String.join(" | ", row.name + "`", row.type, row.usual, row.meaning))
                            .append(" |\n"));
        });
        return text.toString();
    }

    private void collect(Class<?> settings, String prefix) {
        String javadoc = javadocs.getOrDefault(settings.getSimpleName(), "");
        Map<String, String> meanings = meanings(javadoc);
        List<Row> rows = new ArrayList<>();
        for (RecordComponent component : settings.getRecordComponents()) {
            String name = prefix + "." + dashed(component.getName());
            Class<?> nested = nested(component);
            if (nested == null) {
                String meaning = meanings.get(component.getName());
                if (meaning == null) {
                    throw new AssertionError(name + " has no @param in " + SOURCE);
                }
                rows.add(new Row(name, type(component), usual(settings, component), meaning));
            } else {
                collect(nested, component.getType().isRecord() ? name : name + ".*");
            }
        }
        if (!rows.isEmpty()) {
            String firstSentence = javadoc.replaceFirst("(?s)\\.\\s.*", ".");
            groups.put(prefix, new Group(firstSentence, rows));
        }
    }

    private static Map<String, String> meanings(String javadoc) {
        Map<String, String> meanings = new HashMap<>();
        Matcher matcher = PARAM.matcher(javadoc);
        while (matcher.find()) {
            meanings.put(
                    matcher.group(1),
                    matcher.group(2).strip().replaceAll("\\s+", " ").replace("|", "\\|"));
        }
        return meanings;
    }

    /** The record of a group, or of the values of a map; {@code null}: a setting. */
    private static @Nullable Class<?> nested(RecordComponent component) {
        if (component.getType().isRecord()) {
            return component.getType();
        }
        if (component.getGenericType() instanceof ParameterizedType generic && Map.class.equals(component.getType())) {
            Type value = generic.getActualTypeArguments()[1];
            return value instanceof Class<?> type && type.isRecord() ? type : null;
        }
        return null;
    }

    private static String type(RecordComponent component) {
        Class<?> type = component.getType();
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> "`" + dashedConstant(constant.toString()) + "`")
                    .collect(Collectors.joining(", "));
        }
        if (Map.class.equals(type)) {
            return "texts by name";
        }
        return TYPES.getOrDefault(type.getSimpleName(), "list of texts");
    }

    private static String usual(Class<?> settings, RecordComponent component) {
        DefaultValue usual = Arrays.stream(settings.getDeclaredConstructors()[0].getParameters())
                .filter(parameter -> parameter.getName().equals(component.getName()))
                .findFirst()
                .map(parameter -> parameter.getAnnotation(DefaultValue.class))
                .orElse(null);
        String text = usual == null ? "" : String.join(",", usual.value());
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    private static String dashedConstant(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
