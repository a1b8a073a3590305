package dev.waybill.testkit.sim;

import dev.waybill.store.StoreException;

/** A store that cannot be reached, as planned. */
final class SimulatedStoreFailure extends StoreException {
    private static final long serialVersionUID = 1L;

    SimulatedStoreFailure(String message) {
        super(message, null);
    }

    /** Thousands of them are thrown, and none is a surprise. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
