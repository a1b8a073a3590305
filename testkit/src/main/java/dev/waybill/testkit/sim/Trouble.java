package dev.waybill.testkit.sim;

import java.util.Locale;

/** A kind of trouble that a world can do without, to find out whether it has to do with a failure. */
enum Trouble {
    /** Handlers, partitions and sidings behind the relays. */
    CONSUMERS,
    /** Calls of the store with an unknown outcome. */
    STORE,
    /** The database restarts. */
    RESTARTS,
    /** A standby takes over that is behind. */
    FAILOVERS,
    /** The database can be read, but outcomes cannot be written. */
    FULL_DISK,
    /** Commits with an unknown outcome, and writers that die. */
    COMMITS,
    ANSWERS,
    FREEZES,
    CRASHES,
    DISTURBANCES,
    CLOCKS,
    RETRIES,
    POISON,
    OUTAGES,
    MOVES,
    CRAWLING,
    PAUSES,
    LIMITS,
    UNROUTED,
    STRICT,
    DELAYED,
    BURSTS,
    ROLLBACKS,
    WAKEUPS,
    /** Replays of the history. */
    REPLAYS,
    /** The network keeps the order, so that several entries of a key are on their way together. */
    CONVOYS;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
