package dev.waybill.event;

import dev.waybill.OneLine;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every field of an event must look like, whatever the store: the schema's column sizes follow from it. Thread-safe.
 */
public final class EventRules {
    private static final Alphabet WORD =
            Alphabet.of('A', 'Z').and('a', 'z').and('0', '9').and('_', '_');
    private static final Alphabet NAME = WORD.and(".:/$-");
    private static final int MAX_NAME = 200;
    private static final Alphabet HEADER_NAME = WORD.and(".-");
    private static final int MAX_HEADER_NAME = 128;
    private static final Alphabet VISIBLE = Alphabet.of('!', '~');
    private static final Alphabet PRINTABLE = VISIBLE.and(' ', ' ');
    private static final int MAX_CONTENT_TYPE = 100;
    private static final int MAX_KEY = 255;
    private static final int MAX_HEADER_VALUE = 8192;
    private static final int SHOWN = 60;
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");
    private static final Duration ALL_TIME = Duration.between(EARLIEST, LATEST);

    private EventRules() {}

    /**
     * Requires a name of a destination, type or consumer.
     *
     * @throws InvalidEventException if it is none
     */
    public static void name(String field, @Nullable String value) {
        String name = required(field, value);
        if (!isText(name, WORD, NAME, MAX_NAME)) {
            throw invalid(field, name, "1 to 200 of A-Z a-z 0-9 _ . : / $ -, starting with a letter, digit or _");
        }
    }

    static void contentType(@Nullable String value) {
        String contentType = required("contentType", value);
        if (!isText(contentType, VISIBLE, PRINTABLE, MAX_CONTENT_TYPE)) {
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
        Map<String, String> given = required("headers", headers);
        if (given.isEmpty()) {
            return Map.of();
        }
        Map<String, String> copy = new LinkedHashMap<>(given);
        copy.forEach(EventRules::header);
        return Collections.unmodifiableMap(copy);
    }

    static void header(@Nullable String givenName, @Nullable String givenValue) {
        String name = required("header name", givenName);
        if (!isText(name, WORD, HEADER_NAME, MAX_HEADER_NAME)) {
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

    /** A moment after a delay; for one that is longer than all time, a moment that {@link #time} refuses. */
    static Instant after(Instant now, Duration delay) {
        if (delay.compareTo(ALL_TIME) > 0) {
            return Instant.MAX;
        }
        return delay.compareTo(ALL_TIME.negated()) < 0 ? Instant.MIN : now.plus(delay);
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
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean pair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
                if (!pair) {
                    throw invalid(field, "(unprintable)", "well-formed Unicode: found half a surrogate pair");
                }
                i++;
            }
        }
    }

    /** Every event is checked when it is written and when it is read: a regular expression would be a quarter of the work. */
    private static boolean isText(String text, Alphabet first, Alphabet others, int longest) {
        if (text.isEmpty() || text.length() > longest || !first.contains(text.charAt(0))) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            if (!others.contains(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** A set of ASCII characters, as bits. Immutable. */
    private record Alphabet(long lower, long upper) {
        static Alphabet of(char first, char last) {
            return new Alphabet(0, 0).and(first, last);
        }

        Alphabet and(char first, char last) {
            Alphabet all = this;
            for (char c = first; c <= last; c++) {
                all = c < Long.SIZE
                        ? new Alphabet(all.lower | 1L << c, all.upper)
                        : new Alphabet(all.lower, all.upper | 1L << c);
            }
            return all;
        }

        Alphabet and(String characters) {
            Alphabet all = this;
            for (int i = 0; i < characters.length(); i++) {
                all = all.and(characters.charAt(i), characters.charAt(i));
            }
            return all;
        }

        boolean contains(char c) {
            return c < 2 * Long.SIZE && ((c < Long.SIZE ? lower : upper) >>> c & 1) != 0;
        }
    }

    private static InvalidEventException invalid(String field, String found, String allowed) {
        String shown =
                found.length() <= SHOWN ? found : found.substring(0, SHOWN) + "... (" + found.length() + " characters)";
        return new InvalidEventException(
                "Event " + field + " \"" + OneLine.of(shown) + "\" is not allowed; use " + allowed + ".");
    }
}
