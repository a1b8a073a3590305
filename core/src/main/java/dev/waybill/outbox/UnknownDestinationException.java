package dev.waybill.outbox;

import dev.waybill.WaybillException;

/** An event for a destination that {@link OutboxConfig#destinations()} does not name. */
public class UnknownDestinationException extends WaybillException {
    private static final long serialVersionUID = 1L;

    UnknownDestinationException(String message) {
        super(message);
    }
}
