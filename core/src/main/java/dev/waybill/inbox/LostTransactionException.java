package dev.waybill.inbox;

import dev.waybill.WaybillException;

/** A handler returned, but its transaction was rolled back, or can only be rolled back: nothing took effect. */
public class LostTransactionException extends WaybillException {
    private static final long serialVersionUID = 1L;

    public LostTransactionException(InboxKey key) {
        super("The transaction of " + key
                + " was rolled back while its handler ran, or can only be rolled back. A handler"
                + " must not end the transaction, and must not swallow an SQL error: let it out, or use a savepoint.");
    }
}
