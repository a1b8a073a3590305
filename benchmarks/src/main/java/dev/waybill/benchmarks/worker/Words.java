package dev.waybill.benchmarks.worker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Named values of a request or an answer; what is missing is an error that names it. Immutable. */
record Words(Map<String, String> values) {
    Words {
        values = Map.copyOf(values);
    }

    static Words of(String name, Object value) {
        return new Words(Map.of(name, String.valueOf(value)));
    }

    static Words none() {
        return new Words(Map.of());
    }

    Words with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, String.valueOf(value));
        return new Words(more);
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("'" + name + "' is missing in " + values);
        }
        return value;
    }

    long number(String name) {
        return Long.parseLong(text(name));
    }

    int count(String name) {
        return Math.toIntExact(number(name));
    }

    double real(String name) {
        return Double.parseDouble(text(name));
    }

    boolean flag(String name) {
        return Boolean.parseBoolean(text(name));
    }

    Duration duration(String name) {
        return Duration.parse(text(name));
    }
}
