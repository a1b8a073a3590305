package dev.waybill.testkit.sim.mutants;

/** A bug cannot be planted: the sources are not there, have changed, or no longer compile with it. */
public final class PatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PatchException(String message) {
        super(message);
    }
}
