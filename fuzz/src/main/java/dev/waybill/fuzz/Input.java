package dev.waybill.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an input as fields, which a target takes one after the other. What is missing at the end is empty, 0 or the
 * first choice, so that every input is one. Not thread-safe.
 */
public final class Input {
    /** Stands between two fields; no text has it. */
    static final byte SEPARATOR = (byte) 0xff;

    /** Before a text in UTF-16, which may have what no UTF-8 has: half a surrogate pair. */
    private static final byte UTF_16_MARK = (byte) 0xfe;

    private static final String NOTHING = "~";
    private static final int LONGEST_LIST = 32;
    private static final long SECOND = 1_000_000_000L;

    private final byte[] data;
    private int position;

    public Input(byte[] data) {
        this.data = data.clone();
    }

    public byte[] bytes() {
        if (position >= data.length) {
            return new byte[0];
        }
        int end = position;
        while (end < data.length && data[end] != SEPARATOR) {
            end++;
        }
        byte[] field = Arrays.copyOfRange(data, position, end);
        position = end + 1;
        return field;
    }

    /** Bytes, or nothing at all for a tilde. */
    public byte @Nullable [] bytesOrNull() {
        byte[] field = bytes();
        return new String(field, UTF_8).equals(NOTHING) ? null : field;
    }

    public String text() {
        byte[] field = bytes();
        return field.length > 0 && field[0] == UTF_16_MARK
                ? utf16(Arrays.copyOfRange(field, 1, field.length))
                : new String(field, UTF_8);
    }

    /** A text, or nothing at all for a tilde. */
    public @Nullable String textOrNull() {
        String text = text();
        return text.equals(NOTHING) ? null : text;
    }

    /** Not by the charset, which would mend it. */
    private static String utf16(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length / 2);
        for (int i = 0; i + 1 < bytes.length; i += 2) {
            text.append((char) ((bytes[i] & 0xff) << 8 | (bytes[i + 1] & 0xff)));
        }
        return text.toString();
    }

    /** A decimal number; what is none gives some number all the same. */
    public long number() {
        byte[] field = bytes();
        try {
            return field.length == 0 ? 0 : Long.parseLong(new String(field, UTF_8));
        } catch (NumberFormatException e) {
            return Arrays.hashCode(field);
        }
    }

    public int integer() {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number()));
    }

    /** A floating-point number, also one that is none. */
    public double fraction() {
        String field = new String(bytes(), UTF_8);
        try {
            return field.isEmpty() ? 0 : Double.parseDouble(field);
        } catch (NumberFormatException e) {
            return field.hashCode() / 1000.0;
        }
    }

    public boolean flag() {
        return (number() & 1) != 0;
    }

    @SafeVarargs
    public final <T> T oneOf(T... values) {
        return values[(int) Math.floorMod(number(), (long) values.length)];
    }

    /** Seconds and, as the next field, nanoseconds: any duration that there is. */
    public Duration duration() {
        long seconds = number();
        return Duration.ofSeconds(seconds, Math.floorMod(number(), SECOND));
    }

    /** Any moment that there is, in seconds from 1970 and nanoseconds. */
    public Instant time() {
        long seconds = Math.max(Instant.MIN.getEpochSecond(), Math.min(Instant.MAX.getEpochSecond(), number()));
        return Instant.ofEpochSecond(seconds, Math.floorMod(number(), SECOND));
    }

    /** As many texts as the number says that comes first. */
    public List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (int left = count(); left > 0; left--) {
            texts.add(text());
        }
        return texts;
    }

    /** As many names and values as the number says that comes first. */
    public Map<String, String> map() {
        Map<String, String> map = new LinkedHashMap<>();
        for (int left = count(); left > 0; left--) {
            map.put(text(), text());
        }
        return map;
    }

    /** How many of something follow. */
    public int count() {
        return (int) Math.floorMod(number(), (long) LONGEST_LIST);
    }

    public boolean hasMore() {
        return position < data.length;
    }
}
