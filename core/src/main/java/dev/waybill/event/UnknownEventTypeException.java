package dev.waybill.event;

import dev.waybill.WaybillException;

/** An event type, or a Java class, that nobody registered in {@link EventTypes}. */
public class UnknownEventTypeException extends WaybillException {
    private static final long serialVersionUID = 1L;

    UnknownEventTypeException(String message) {
        super(message);
    }
}
