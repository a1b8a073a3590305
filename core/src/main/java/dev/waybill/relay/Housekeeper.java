package dev.waybill.relay;

import dev.waybill.operations.BacklogMeters;
import dev.waybill.store.Housekeeping;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does a store's chores beside the deliveries: replays, cleaning, samples of the backlog. A step function like the
 * relay; one thread at a time calls it.
 *
 * <p>Not on the relay's own thread: cleaning a big table or counting a long backlog must not cost a lease.
 */
final class Housekeeper {
    private static final Logger log = LoggerFactory.getLogger(Housekeeper.class);
    private static final long REPLAY_STEP = Duration.ofMillis(20).toNanos();
    private static final long REPLAY_LOOK = Duration.ofSeconds(1).toNanos();
    private static final long CLEAN_STEP = Duration.ofMillis(100).toNanos();
    private static final long CLEAN_INTERVAL = Duration.ofMinutes(1).toNanos();
    private static final long SAMPLE_INTERVAL = Duration.ofSeconds(15).toNanos();
    private static final long AFTER_FAILURE = Duration.ofSeconds(5).toNanos();

    private final Housekeeping store;
    private final @Nullable BacklogMeters backlog;
    private final Counter replayed;
    private final Counter removed;
    private final Counter failures;
    private final Chore replays;
    private final Chore cleaning;
    private final Chore samples;
    private final LongSupplier nanoClock;
    private boolean replaying;

    Housekeeper(Housekeeping store, @Nullable BacklogMeters backlog, MeterRegistry registry, LongSupplier nanoClock) {
        this.store = store;
        this.backlog = backlog;
        this.nanoClock = nanoClock;
        long now = nanoClock.getAsLong();
        replays = new Chore("carry replays on", now, this::replay);
        cleaning = new Chore("clean up", now, this::clean);
        samples = new Chore("sample the backlog", now, this::sample);
        replayed = counter(registry, "outbox.replay.entries", "Entries put into the outbox by replays");
        removed = counter(registry, "outbox.history.removed", "What was removed because it was kept long enough");
        failures = counter(registry, "outbox.housekeeping.failures", "Chores of the store that failed");
    }

    /** Does what is due; returns how much was done. */
    int doWork() {
        return replays.doIfDue() + cleaning.doIfDue() + samples.doIfDue();
    }

    Duration idleFor() {
        long now = nanoClock.getAsLong();
        long wait = Math.min(replays.at - now, Math.min(cleaning.at - now, samples.at - now));
        return Duration.ofNanos(Math.max(0, wait));
    }

    private long replay() {
        if (!replaying) {
            replaying = store.hasRunningReplays();
            return replaying ? 0 : REPLAY_LOOK;
        }
        int entries = store.advanceReplays();
        replayed.increment(entries);
        if (entries == 0) {
            replaying = store.hasRunningReplays();
        }
        return REPLAY_STEP;
    }

    private long clean() {
        int entries = store.clean();
        removed.increment(entries);
        return entries > 0 ? CLEAN_STEP : CLEAN_INTERVAL;
    }

    private long sample() {
        if (backlog == null) {
            return CLEAN_INTERVAL;
        }
        backlog.sample();
        return SAMPLE_INTERVAL;
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** Something that is done again and again; says after how long. */
    private interface Work {
        long run();
    }

    private final class Chore {
        private final String name;
        private final Work work;
        private long at;
        private boolean failed;

        Chore(String name, long at, Work work) {
            this.name = name;
            this.at = at;
            this.work = work;
        }

        int doIfDue() {
            long now = nanoClock.getAsLong();
            if (at - now > 0) {
                return 0;
            }
            try {
                at = now + work.run();
                failed = false;
            } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
                at = now + AFTER_FAILURE;
                failures.increment();
                if (!failed) {
                    log.warn(
                            "Could not {}; tried again every {} seconds: {}",
                            name,
                            AFTER_FAILURE / 1_000_000_000,
                            e.toString());
                }
                failed = true;
            }
            return 1;
        }
    }
}
