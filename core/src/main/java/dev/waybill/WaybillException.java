package dev.waybill;

import org.jspecify.annotations.Nullable;

/** The root of all exceptions that Waybill throws: misuse or broken infrastructure, never an expected failure. */
public class WaybillException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WaybillException(String message) {
        this(message, null);
    }

    public WaybillException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
