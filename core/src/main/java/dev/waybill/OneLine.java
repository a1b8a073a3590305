package dev.waybill;

import java.util.Locale;

/**
 * Text from outside, made fit for a line of a log or of a message.
 *
 * <p>Keys, headers and errors may hold anything, also what would pass for a line of its own or move a cursor.
 */
public final class OneLine {

    private OneLine() {}

    /** The text with every character that breaks a line or does not show as an escape such as {@code \n}. */
    public static String of(String text) {
        if (text.codePoints().noneMatch(OneLine::isEscaped)) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(codePoint -> {
            if (isEscaped(codePoint)) {
                line.append(escape(codePoint));
            } else {
                line.appendCodePoint(codePoint);
            }
        });
        return line.toString();
    }

    /** The first line of a text, like {@link #of}: what is behind it, such as a stack trace, belongs elsewhere. */
    public static String first(String text) {
        return of(text.lines().findFirst().orElse(""));
    }

    private static boolean isEscaped(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private static String escape(int codePoint) {
        return switch (codePoint) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(Locale.ROOT, "\\u%04x", codePoint);
        };
    }
}
