package dev.waybill.benchmarks.worker;

/** A worker failed, died, or answered what nobody understands; the message has the end of its log. */
public final class WorkerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WorkerException(String message) {
        super(message);
    }

    WorkerException(String message, Throwable cause) {
        super(message, cause);
    }
}
