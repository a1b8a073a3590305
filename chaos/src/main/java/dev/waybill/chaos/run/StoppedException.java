package dev.waybill.chaos.run;

/** The run was told to stop. */
public final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
        super("stopped");
    }
}
