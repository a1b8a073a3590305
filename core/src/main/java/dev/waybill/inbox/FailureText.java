package dev.waybill.inbox;

/** An exception as the reason of a dead letter: what it was, why, and where it came from, within the space there is. */
final class FailureText {
    // A store keeps 2,000 characters of a reason.
    private static final int MOST = 2_000;
    private static final int LONGEST_MESSAGE = 700;
    private static final int FRAMES = 8;
    private static final int CAUSES = 3;

    private FailureText() {}

    static String of(Throwable failure) {
        StringBuilder text = new StringBuilder();
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth <= CAUSES && text.length() < MOST; depth++) {
            text.append(depth == 0 ? "" : "\nCaused by: ").append(described(cause));
            frames(cause, depth == 0 ? FRAMES : 2, text);
            cause = cause.getCause() == cause ? null : cause.getCause();
        }
        return text.length() <= MOST ? text.toString() : text.substring(0, MOST);
    }

    /** The class and the message. Some exceptions fail to say what they are. */
    private static String described(Throwable failure) {
        String name = failure.getClass().getName();
        String message;
        try {
            message = failure.getMessage();
        } catch (RuntimeException e) {
            message = null;
        }
        if (message == null) {
            return name;
        }
        return name + ": "
                + (message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "...");
    }

    private static void frames(Throwable failure, int most, StringBuilder text) {
        StackTraceElement[] frames = failure.getStackTrace();
        for (int i = 0; i < Math.min(most, frames.length); i++) {
            text.append("\n  at ").append(frames[i]);
        }
        if (frames.length > most) {
            text.append("\n  ... ").append(frames.length - most).append(" more");
        }
    }
}
