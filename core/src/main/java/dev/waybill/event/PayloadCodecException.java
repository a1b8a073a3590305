package dev.waybill.event;

import dev.waybill.WaybillException;
import org.jspecify.annotations.Nullable;

/** A value that its codec could not turn into a payload, or a payload that it could not turn back. */
public class PayloadCodecException extends WaybillException {
    private static final long serialVersionUID = 1L;

    PayloadCodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
