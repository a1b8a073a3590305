package dev.waybill.event;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What every field of an event must look like, whatever the store: the schema's column sizes follow from it. Thread-safe.
 */
public final class EventRules {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.:/$-]{0,199}");
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern CONTENT_TYPE = Pattern.compile("[\\x21-\\x7e][\\x20-\\x7e]{0,99}");
    private static final int MAX_KEY = 255;
    private static final int MAX_HEADER_VALUE = 8192;
    private static final int SHOWN = 60;
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private EventRules() {}

    /**
     * Requires a name of a destination, type or consumer.
     *
     * @throws InvalidEventException if it is none
     */
    public static void name(String field, @Nullable String value) {
        String name = required(field, value);
        if (!NAME.matcher(name).matches()) {
            throw invalid(field, name, "1 to 200 of A-Z a-z 0-9 _ . : / $ -, starting with a letter, digit or _");
        }
    }

    static void contentType(@Nullable String value) {
        String contentType = required("contentType", value);
        if (!CONTENT_TYPE.matcher(contentType).matches()) {
            throw invalid("contentType", contentType, "1 to 100 printable ASCII characters");
        }
    }

    static void key(@Nullable String key) {
        if (key == null) {
            return;
        }
        if (key.isEmpty() || key.length() > MAX_KEY) {
            throw invalid("key", key, "1 to " + MAX_KEY + " characters, or no key at all");
        }
        storable("key", key);
    }

    static void version(int version) {
        if (version < 1) {
            throw new InvalidEventException("Event version is " + version + "; versions start at 1.");
        }
    }

    static Map<String, String> headers(@Nullable Map<String, String> headers) {
        Map<String, String> copy = new LinkedHashMap<>(required("headers", headers));
        copy.forEach(EventRules::header);
        return Collections.unmodifiableMap(copy);
    }

    static void header(@Nullable String givenName, @Nullable String givenValue) {
        String name = required("header name", givenName);
        if (!HEADER_NAME.matcher(name).matches()) {
            throw invalid("header name", name, "1 to 128 of A-Z a-z 0-9 _ . -, starting with a letter, digit or _");
        }
        String value = required("header " + name, givenValue);
        if (value.length() > MAX_HEADER_VALUE) {
            throw invalid("header " + name, value, "at most " + MAX_HEADER_VALUE + " characters");
        }
        storable("header " + name, value);
        // A line break would let a value add headers of its own, on a wire that is made of lines.
        if (value.chars().anyMatch(c -> c < ' ' && c != '\t')) {
            throw invalid("header " + name, "(unprintable)", "text without line breaks and other control characters");
        }
    }

    static void time(String field, Instant value) {
        if (value.isBefore(EARLIEST) || value.isAfter(LATEST)) {
            throw invalid(field, value.toString(), "a time between the years 1970 and 9999");
        }
    }

    static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidEventException("Event " + field + " is missing; set it before build().");
        }
        return value;
    }

    /** Databases cannot store NUL, and half a surrogate pair turns into '?': two keys would become one. */
    private static void storable(String field, String text) {
        if (text.indexOf(0) >= 0) {
            throw invalid(field, text.replace('\0', ' '), "text without NUL characters");
        }
        if (text.codePoints().anyMatch(EventRules::isHalfAPair)) {
            throw invalid(field, "(unprintable)", "well-formed Unicode: found half a surrogate pair");
        }
    }

    private static boolean isHalfAPair(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static InvalidEventException invalid(String field, String found, String allowed) {
        String shown =
                found.length() <= SHOWN ? found : found.substring(0, SHOWN) + "... (" + found.length() + " characters)";
        return new InvalidEventException("Event " + field + " \"" + shown + "\" is not allowed; use " + allowed + ".");
    }
}
