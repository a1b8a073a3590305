package dev.waybill.inbox;

/** Where a consumer gets an event from. */
public enum Origin {
    /** From whoever delivers it: an event that was put aside before is a duplicate. */
    SOURCE,
    /** From the siding, where it was put aside. */
    SIDING
}
