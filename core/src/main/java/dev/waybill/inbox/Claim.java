package dev.waybill.inbox;

import java.time.Duration;

/**
 * Whether an event is the caller's to handle.
 *
 * @param epoch   what the claim is fenced by; 0 unless a lease was taken
 * @param busyFor how long another one's lease lasts, if that is the answer
 */
public record Claim(Status status, long epoch, Duration busyFor) {

    /** What was found. */
    public enum Status {
        /** It is the caller's. */
        TAKEN,
        /** It took effect before. */
        DONE,
        /** It was put aside, and is handled from there. */
        ASIDE,
        /** Somebody is at it, and has a lease. */
        BUSY
    }

    public static Claim taken() {
        return new Claim(Status.TAKEN, 0, Duration.ZERO);
    }

    public static Claim leased(long epoch) {
        return new Claim(Status.TAKEN, epoch, Duration.ZERO);
    }

    public static Claim done() {
        return new Claim(Status.DONE, 0, Duration.ZERO);
    }

    public static Claim aside() {
        return new Claim(Status.ASIDE, 0, Duration.ZERO);
    }

    public static Claim busy(Duration rest) {
        return new Claim(Status.BUSY, 0, rest);
    }

    public boolean isTaken() {
        return status == Status.TAKEN;
    }

    /** Whether the event needs nothing more of who asked. */
    public boolean isDuplicate() {
        return status == Status.DONE || status == Status.ASIDE;
    }
}
