package dev.waybill.benchmarks.scenario;

/** The run was told to end. */
public final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
        super("stopped");
    }
}
