package dev.waybill.event;

import dev.waybill.WaybillException;

/** A value that its codec could not turn into a payload, or a payload that it could not turn back. */
public class PayloadCodecException extends WaybillException {
    private static final long serialVersionUID = 1L;

    PayloadCodecException(String message, Throwable cause) {
        super(message, cause);
    }
}
