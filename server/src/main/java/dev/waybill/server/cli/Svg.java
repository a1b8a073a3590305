package dev.waybill.server.cli;

import java.util.Locale;

/** The lines of a picture. Not thread-safe. */
public final class Svg {
    private final StringBuilder lines = new StringBuilder();

    public void line(String format, Object... values) {
        lines.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** What XML would take for its own becomes text. */
    public static String text(String plain) {
        return plain.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return lines.toString();
    }
}
