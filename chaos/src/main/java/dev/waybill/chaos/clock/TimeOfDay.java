package dev.waybill.chaos.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Watches how the time of day runs, so that what has nothing better, a record of a topic, can be told in {@link SteadyClock}'s
 * time afterwards. Thread-safe.
 */
public final class TimeOfDay implements AutoCloseable {
    private static final long LOOK_MILLIS = 20;
    /** Less than this is how long it takes to look at two clocks. */
    private static final long DRIFT_MILLIS = 3;

    /** From a moment on, in both times. */
    private record Stretch(long timeOfDay, long steady) {
        long offset() {
            return timeOfDay - steady;
        }
    }

    private final List<Stretch> stretches = new ArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> looks;

    private TimeOfDay() {
        look();
        looks = clock.scheduleAtFixedRate(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    public static TimeOfDay watch() {
        return new TimeOfDay();
    }

    private void look() {
        saw(System.currentTimeMillis(), SteadyClock.millis());
    }

    synchronized void saw(long timeOfDay, long steady) {
        Stretch now = new Stretch(timeOfDay, steady);
        Stretch last = stretches.isEmpty() ? null : stretches.get(stretches.size() - 1);
        if (last == null || Math.abs(now.offset() - last.offset()) >= DRIFT_MILLIS) {
            stretches.add(now);
        }
    }

    /** What it was in steady time; of a time of day that came twice, the later one. */
    public synchronized long steady(long timeOfDay) {
        long before = Long.MAX_VALUE;
        for (int i = stretches.size() - 1; i > 0; i--) {
            Stretch one = stretches.get(i);
            if (one.timeOfDay() <= timeOfDay) {
                return Math.min(before, timeOfDay - one.offset());
            }
            before = one.steady();
        }
        return Math.min(before, timeOfDay - stretches.get(0).offset());
    }

    @Override
    public void close() {
        looks.cancel(true);
        clock.shutdownNow();
    }
}
