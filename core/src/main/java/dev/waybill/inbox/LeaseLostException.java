package dev.waybill.inbox;

import dev.waybill.WaybillException;

/** A handler took longer than its lease, and another one took the event over: it may have taken effect twice. */
public class LeaseLostException extends WaybillException {
    private static final long serialVersionUID = 1L;

    public LeaseLostException(InboxKey key) {
        super("The lease of " + key + " ended while its handler was at it, and another one took over; it may have taken"
                + " effect twice. Make the lease longer than the handler ever takes.");
    }
}
