package dev.waybill.server.cli;

import org.jspecify.annotations.Nullable;

/** The user asked for something that cannot be done: one line on stderr and exit code 2, no stack trace. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        this(message, null);
    }

    public UsageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
