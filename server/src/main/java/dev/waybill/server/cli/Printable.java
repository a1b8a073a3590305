package dev.waybill.server.cli;

import java.util.Locale;

/**
 * Text from outside, made fit for a terminal.
 *
 * <p>Keys, headers and error messages may hold anything, also escape sequences that would recolour, move or forge what an
 * operator reads, and characters that turn the direction of writing around.
 */
public final class Printable {
    /** Marks that stand over one character; without a bound they would run over the lines around. */
    private static final int MOST_MARKS = 4;

    private Printable() {}

    /** The text in one line, with every character that does not simply show itself as an escape such as {@code \x1b}. */
    public static String of(String text) {
        StringBuilder line = new StringBuilder(text.length());
        int marks = 0;
        for (int codePoint : text.codePoints().toArray()) {
            boolean mark = isMark(codePoint);
            marks = mark ? marks + 1 : 0;
            if (isPlain(codePoint) && marks <= MOST_MARKS) {
                line.appendCodePoint(codePoint);
            } else {
                line.append(escape(codePoint));
            }
        }
        return line.toString();
    }

    /** How many columns a printable text takes. */
    public static int width(String text) {
        return text.codePoints().map(Printable::columns).sum();
    }

    /** The text, or as much of its beginning as fits with an ellipsis. */
    public static String cut(String text, int columns, String ellipsis) {
        if (width(text) <= columns) {
            return text;
        }
        int room = columns - ellipsis.length();
        StringBuilder beginning = new StringBuilder();
        for (int codePoint : text.codePoints().toArray()) {
            room -= columns(codePoint);
            if (room < 0) {
                break;
            }
            beginning.appendCodePoint(codePoint);
        }
        return beginning + ellipsis;
    }

    private static boolean isPlain(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static String escape(int codePoint) {
        return switch (codePoint) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(Locale.ROOT, codePoint <= 0xff ? "\\x%02x" : "\\u%04x", codePoint);
        };
    }

    private static boolean isMark(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
    }

    private static int columns(int codePoint) {
        if (isMark(codePoint)) {
            return 0;
        }
        return isWide(codePoint) ? 2 : 1;
    }

    /** East Asian wide characters and emoji, by block. */
    private static boolean isWide(int codePoint) {
        return between(codePoint, 0x1100, 0x115f)
                || between(codePoint, 0x2e80, 0xa4cf)
                || between(codePoint, 0xac00, 0xd7a3)
                || between(codePoint, 0xf900, 0xfaff)
                || between(codePoint, 0xfe30, 0xfe6f)
                || between(codePoint, 0xff00, 0xff60)
                || between(codePoint, 0xffe0, 0xffe6)
                || between(codePoint, 0x1f300, 0x1f64f)
                || between(codePoint, 0x1f680, 0x1f6ff)
                || between(codePoint, 0x1f900, 0x1faff)
                || between(codePoint, 0x20000, 0x3fffd);
    }

    private static boolean between(int codePoint, int from, int to) {
        return codePoint >= from && codePoint <= to;
    }
}
