package dev.waybill.server.cli;

import java.io.Console;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a command reads from and writes to, and what can be written there. Immutable.
 *
 * @param in          what a person types
 * @param interactive whether a person looks at it: lines may be redrawn
 * @param color       whether colours are wanted
 * @param unicode     whether more than ASCII can be shown
 */
public record Terminal(
        InputStream in, PrintStream out, PrintStream err, boolean interactive, boolean color, boolean unicode) {

    /** This process's standard streams. */
    public static Terminal system() {
        Map<String, String> environment = System.getenv();
        boolean interactive = isTerminal(System.console()) && !"dumb".equals(environment.get("TERM"));
        // https://no-color.org: set and not empty, whatever its value.
        boolean color = interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
        String encoding = System.getProperty("native.encoding", "");
        return new Terminal(System.in, System.out, System.err, interactive, color, isUnicode(encoding));
    }

    /** Streams that nobody looks at while they are written. */
    public static Terminal plain(PrintStream out, PrintStream err) {
        return new Terminal(InputStream.nullInputStream(), out, err, false, false, true);
    }

    private static boolean isUnicode(String encoding) {
        return encoding.toUpperCase(Locale.ROOT).startsWith("UTF");
    }

    /** Up to Java 21 there is a console only on a terminal; from 22 on there always is one, which has to be asked. */
    private static boolean isTerminal(@Nullable Console console) {
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }
}
