package dev.waybill.inbox;

import dev.waybill.WaybillException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An event was not handled, and nothing is wrong with it: its consumer takes nothing for a while. */
public class DeferredException extends WaybillException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public DeferredException(String message, Duration retryAfter) {
        this(message, retryAfter, null);
    }

    public DeferredException(String message, Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.retryAfter = retryAfter;
    }

    /** When to try again. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
