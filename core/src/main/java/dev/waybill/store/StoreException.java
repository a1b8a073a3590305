package dev.waybill.store;

import dev.waybill.WaybillException;
import org.jspecify.annotations.Nullable;

/** The store could not do what it was asked to; for a change the outcome is unknown. */
public class StoreException extends WaybillException {
    private static final long serialVersionUID = 1L;

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
