package dev.waybill.testkit.sim;

/** Unwinds the step of a relay that has died: an error, because a dead process catches nothing. */
final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimulatedCrash() {
        super("The relay died here, as planned.", null, false, false);
    }
}
