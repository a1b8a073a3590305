package dev.waybill.fuzz;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What targets demand. */
public final class Expect {

    private Expect() {}

    public static void that(boolean holds, String what) {
        if (!holds) {
            throw new BrokenException(what);
        }
    }

    public static void equal(@Nullable Object found, @Nullable Object expected, String what) {
        that(Objects.equals(found, expected), what + ": found " + found + ", expected " + expected);
    }

    /** A refusal says why, and nothing that it quotes can pass for a line of its own. */
    public static void refusal(Exception refused) {
        String message = refused.getMessage();
        if (message == null || message.isBlank()) {
            throw new BrokenException("It is refused without a reason", refused);
        }
        oneLine(message);
    }

    /** Where this text is written, it is one line and moves no cursor. */
    public static void oneLine(String text) {
        text.codePoints().filter(Expect::breaksLine).findFirst().ifPresent(codePoint -> {
            throw new BrokenException("It has U+%04X, and must be one line: %s".formatted(codePoint, text));
        });
    }

    private static boolean breaksLine(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.CONTROL || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
    }
}
