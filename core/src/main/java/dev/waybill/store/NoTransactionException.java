package dev.waybill.store;

import dev.waybill.WaybillException;

/** Somebody published outside a transaction: the event could have come apart from the data it tells about. */
public class NoTransactionException extends WaybillException {
    private static final long serialVersionUID = 1L;

    public NoTransactionException(String message) {
        super(message);
    }
}
