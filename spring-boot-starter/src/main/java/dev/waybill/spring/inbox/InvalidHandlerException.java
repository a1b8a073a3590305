package dev.waybill.spring.inbox;

import dev.waybill.WaybillException;

/** A method, or the settings of a consumer, that cannot work; the message names it and says what to change. */
public class InvalidHandlerException extends WaybillException {
    private static final long serialVersionUID = 1L;

    public InvalidHandlerException(String message) {
        super(message);
    }
}
