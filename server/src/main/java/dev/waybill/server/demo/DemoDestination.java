package dev.waybill.server.demo;

import dev.waybill.transport.Transport;
import java.time.Duration;

/** Where the shop's events go: it enters every arrival into the ledger, and can be taken down. Thread-safe. */
interface DemoDestination extends AutoCloseable {

    /** What carries the events there, in a few words. */
    String description();

    /** What it is that goes down: the consumer, or a broker. */
    String name();

    /** A transport for one more relay, for the caller to close. */
    Transport transport();

    boolean isUp();

    /** Whether it is ours to take down. */
    boolean canGoDown();

    void goDown();

    void comeUp();

    /** Waits until all that relays have delivered is in the ledger; tells whether it is. */
    boolean awaitArrivals(Duration atMost);

    /** Stops what the demo started. All relays have to be stopped before. */
    @Override
    void close();
}
