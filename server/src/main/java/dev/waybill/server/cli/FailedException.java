package dev.waybill.server.cli;

/** What the user asked for did not work out: one line on stderr and exit code 1, no stack trace. */
public final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FailedException(String message) {
        super(message);
    }
}
