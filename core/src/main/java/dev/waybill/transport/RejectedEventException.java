package dev.waybill.transport;

import dev.waybill.WaybillException;

/** Thrown by a handler for an event that it will never be able to handle: the event becomes a dead letter at once. */
public class RejectedEventException extends WaybillException implements NonRetryableException {
    private static final long serialVersionUID = 1L;

    public RejectedEventException(String message) {
        super(message);
    }
}
