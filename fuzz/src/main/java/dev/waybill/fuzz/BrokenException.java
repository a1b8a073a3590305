package dev.waybill.fuzz;

import org.jspecify.annotations.Nullable;

/** Something that must always hold does not for an input. */
public final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenException(String message) {
        this(message, null);
    }

    BrokenException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
