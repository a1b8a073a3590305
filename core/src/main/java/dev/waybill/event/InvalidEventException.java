package dev.waybill.event;

import dev.waybill.WaybillException;

/** An event that Waybill refuses to accept; the message names the field, what was found and what is allowed. */
public class InvalidEventException extends WaybillException {
    private static final long serialVersionUID = 1L;

    public InvalidEventException(String message) {
        super(message);
    }
}
