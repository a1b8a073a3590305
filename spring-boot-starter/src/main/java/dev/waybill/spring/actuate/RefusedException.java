package dev.waybill.spring.actuate;

import dev.waybill.WaybillException;

/** A request that the endpoint does not follow, with the HTTP status that says so. */
final class RefusedException extends WaybillException {
    private static final long serialVersionUID = 1L;

    private final int status;

    RefusedException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
