package dev.waybill.outbox;

import dev.waybill.WaybillException;

/** An event that exceeds a configured limit; refused where the caller can still roll back. */
public class OutboxLimitException extends WaybillException {
    private static final long serialVersionUID = 1L;

    private final String limit;

    /**
     * For whoever publishes in another way, and knows the limits better.
     *
     * @param limit the name of the setting in {@link OutboxConfig}
     */
    public OutboxLimitException(String limit, String message) {
        super(message);
        this.limit = limit;
    }

    /** The name of the setting in {@link OutboxConfig} that was exceeded. */
    public String limit() {
        return limit;
    }
}
