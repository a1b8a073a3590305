package dev.waybill.resilience;

import dev.waybill.inbox.DeferredException;
import java.time.Duration;

/** The last calls of a name failed too often: this one was not made, or failed like those. */
public class CircuitOpenException extends DeferredException {
    private static final long serialVersionUID = 1L;

    private final String operation;

    public CircuitOpenException(String operation, Duration retryAfter) {
        super(
                "The circuit breaker of " + operation + " is open and nothing was called; try again in " + retryAfter
                        + ".",
                retryAfter);
        this.operation = operation;
    }

    CircuitOpenException(String operation, Duration retryAfter, Throwable failure) {
        super(
                "The circuit breaker of " + operation + " is open or half open, and the call failed like those before;"
                        + " try again in " + retryAfter + ".",
                retryAfter,
                failure);
        this.operation = operation;
    }

    /** The name of the operation or consumer. */
    public String operation() {
        return operation;
    }
}
