package dev.waybill.resilience;

/** What the window that a breaker judges by is measured in. */
public enum WindowType {
    /** The last calls. */
    COUNT,
    /** The last seconds. */
    TIME
}
