package dev.waybill.testkit.outbox;

import dev.waybill.operations.Administration;
import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Delivers everything now: lets the relays run until there is nothing left that they could deliver. Thread-safe.
 *
 * <p>Dead letters, what waits behind them, delayed events and paused destinations stay where they are. What is on its way
 * through a broker is not seen.
 */
public final class Drain {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

    /**
     * Looks that have to find nothing in a row: while one table is looked at, a handler may move an event from another one
     * to it.
     */
    private static final int QUIET_LOOKS = 2;

    private final Supplier<? extends Map<String, ? extends Administration>> stores;
    private final Runnable wakeUp;
    private final Predicate<String> paused;

    /**
     * Watches outboxes and sidings.
     *
     * @param stores by a name for messages, outboxes before the sidings that they deliver to
     * @param wakeUp tells the relays to look now
     * @param paused destinations that the relays hold back by themselves
     */
    public Drain(
            Supplier<? extends Map<String, ? extends Administration>> stores,
            Runnable wakeUp,
            Predicate<String> paused) {
        this.stores = stores;
        this.wakeUp = wakeUp;
        this.paused = paused;
    }

    /** Like {@link #deliverEverything(Duration)} with half a minute of patience. */
    public void deliverEverything() {
        deliverEverything(PATIENCE);
    }

    /**
     * Returns when nothing is left that could be delivered.
     *
     * @throws AssertionError if it takes longer; it says what is left
     */
    public void deliverEverything(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        int quiet = 0;
        while (quiet < QUIET_LOOKS) {
            wakeUp.run();
            String left = left();
            quiet = left.isEmpty() ? quiet + 1 : 0;
            if (quiet == 0) {
                if (System.nanoTime() - end > 0) {
                    throw new AssertionError("Not everything was delivered within " + patience + ":" + left
                            + "\nShorten the waits between tries in the test's settings, give it more time, or look whether"
                            + " a relay runs and has a route for it.");
                }
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            }
        }
    }

    private String left() {
        StringBuilder text = new StringBuilder();
        stores.get().forEach((name, store) -> {
            Statistics statistics = store.operations().statistics();
            for (OfDestination one : statistics.destinations()) {
                if (one.pending() > one.delayed() && !one.paused() && !paused.test(one.destination())) {
                    text.append("\n  - ")
                            .append(name)
                            .append(": ")
                            .append(one.pending() - one.delayed())
                            .append(" for ")
                            .append(one.destination())
                            .append(one.failing() == 0 ? "" : ", " + one.failing() + " of them failed and wait")
                            .append(", oldest ")
                            .append(one.oldestAge().map(Duration::toString).orElse("unknown"))
                            .append(", dead ")
                            .append(one.dead())
                            .append(", relays ")
                            .append(statistics.liveRelays());
                }
            }
        });
        return text.toString();
    }
}
