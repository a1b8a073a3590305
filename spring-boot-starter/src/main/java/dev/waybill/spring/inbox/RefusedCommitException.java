package dev.waybill.spring.inbox;

import org.jspecify.annotations.Nullable;

/** A transaction that was rolled back for sure, because of what was done in it. */
final class RefusedCommitException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedCommitException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
