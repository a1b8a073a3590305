package dev.waybill.server.scenario;

/** The scenario was told to end before its last step. */
final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
        super("stopped", null, false, false);
    }
}
