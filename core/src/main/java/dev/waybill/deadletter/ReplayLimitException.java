package dev.waybill.deadletter;

import dev.waybill.WaybillException;

/** A dead letter was tried again as often as it may be, and failed each time. */
public class ReplayLimitException extends WaybillException {
    private static final long serialVersionUID = 1L;

    private final long sequence;

    public ReplayLimitException(long sequence, int replays) {
        super("Dead letter " + sequence + " was replayed " + replays
                + " times and failed each time. Correct it (that starts the count anew), discard it, or raise the store's"
                + " maxReplays.");
        this.sequence = sequence;
    }

    public long sequence() {
        return sequence;
    }
}
