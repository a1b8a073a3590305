package dev.waybill.spring;

import org.springframework.context.SmartLifecycle;

/**
 * The order in which Waybill's parts start; they stop in the opposite one.
 *
 * <p>Spring Boot's web server starts in phase {@code DEFAULT_PHASE - 2048}, and drains its requests before it stops, in
 * {@code DEFAULT_PHASE - 1024}. All of Waybill is below that: it runs before the first request, and still delivers what the
 * last one publishes. Beans of the application that publish by themselves have the default phase, and stop earlier too.
 */
public final class Phases {
    private static final int BASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    /** What handlers run on: there before the first delivery, gone after the last. */
    public static final int HANDLER_THREADS = BASE;

    /** What tells and hears of commits in other processes. */
    public static final int SIGNALS = BASE + 1;

    /** The relays of the outboxes: they outlive whoever may still publish. */
    public static final int RELAYS = BASE + 2;

    /** The relay that tries again what consumers put aside. */
    public static final int SIDING = BASE + 3;

    /** Consumers of brokers: the first to take nothing more. */
    public static final int SOURCES = BASE + 4;

    private Phases() {}
}
