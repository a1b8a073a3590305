package dev.waybill.chaos.plan;

/** How relays deliver, and what follows from it for whoever reads the topics. */
public enum DeliveryMode {
    /** With an idempotent producer: what was sent and not yet settled when a fault struck may come again. */
    IDEMPOTENT("read_uncommitted", 1),
    /** In transactions, with a ledger: nothing comes again for whoever reads what is committed. */
    EXACTLY_ONCE("read_committed", 0);

    private final String isolationLevel;
    private final int duplicatesPerEntry;

    DeliveryMode(String isolationLevel, int duplicatesPerEntry) {
        this.isolationLevel = isolationLevel;
        this.duplicatesPerEntry = duplicatesPerEntry;
    }

    /** What a reader of the topics has to set to see what this mode promises. */
    public String isolationLevel() {
        return isolationLevel;
    }

    /** The bound of promise 4 for so many windows that faults struck. */
    public long duplicateBound(long windows, int window) {
        return windows * window * duplicatesPerEntry;
    }
}
