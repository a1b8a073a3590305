package dev.waybill.inbox;

import dev.waybill.WaybillException;

/** A consumer cannot start as it is configured: something would be handled twice, or could not be handled, later. */
public class InboxCheckException extends WaybillException {
    private static final long serialVersionUID = 1L;

    public InboxCheckException(String message) {
        super(message);
    }
}
