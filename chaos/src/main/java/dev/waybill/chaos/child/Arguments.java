package dev.waybill.chaos.child;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a child process is told on its command line, as {@code name=value}. Immutable. */
public record Arguments(Map<String, String> values) {
    public Arguments {
        values = Map.copyOf(values);
    }

    public static Arguments none() {
        return new Arguments(Map.of());
    }

    static Arguments of(List<String> words) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            values.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return new Arguments(values);
    }

    public Arguments with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, String.valueOf(value));
        return new Arguments(more);
    }

    public List<String> words() {
        List<String> words = new ArrayList<>();
        values.forEach((name, value) -> words.add(name + "=" + value));
        return words;
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("'" + name + "' is missing in " + values);
        }
        return value;
    }

    int count(String name) {
        return Integer.parseInt(text(name));
    }

    long number(String name) {
        return Long.parseLong(text(name));
    }

    Path path(String name) {
        return Path.of(text(name));
    }

    Duration duration(String name) {
        return Duration.parse(text(name));
    }
}
