package dev.waybill.resilience;

import dev.waybill.OneLine;
import dev.waybill.inbox.DeferredException;
import dev.waybill.transport.NonRetryableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** What a failure means for the retries and for the breaker. */
final class Failures {
    private static final int DEEPEST = 16;
    private static final int LONGEST = 200;

    private Failures() {}

    /** The exception that the operation threw, without the wrappers that futures put around it. */
    static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        // Bounded, because causes may form a ring.
        for (int depth = 0; depth < DEEPEST; depth++) {
            Throwable cause = inner.getCause();
            if (cause == null || !(inner instanceof CompletionException || inner instanceof ExecutionException)) {
                return inner;
            }
            inner = cause;
        }
        return inner;
    }

    /** Whether another try may end better. Resilience4j asks with null for a wrapper without a cause. */
    static boolean isRetryable(@Nullable Throwable failure) {
        if (failure == null) {
            return true;
        }
        Throwable inner = unwrap(failure);
        return inner instanceof Exception && !(inner instanceof NonRetryableException) && !isDeferred(inner);
    }

    /** Whether it says nothing about how what was called fares. */
    static boolean isIgnored(@Nullable Throwable failure, boolean countNonRetryable) {
        if (failure == null) {
            return false;
        }
        Throwable inner = unwrap(failure);
        return isDeferred(inner) || (inner instanceof NonRetryableException && !countNonRetryable);
    }

    /** A breaker further in has rejected the call: it knows best when to try again, and nothing was called. */
    private static boolean isDeferred(Throwable failure) {
        return failure instanceof DeferredException;
    }

    static String describe(@Nullable Throwable failure) {
        return failure == null ? "no reason given" : oneLine(unwrap(failure).toString());
    }

    /** Messages come from anywhere: they must not break or flood the log. */
    static String oneLine(String text) {
        String cut = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        return OneLine.of(cut);
    }
}
