package dev.waybill.chaos.run;

import dev.waybill.chaos.clock.SteadyClock;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets the faults of a schedule happen, each on a thread of its own.
 *
 * <p>A slow machine takes longer to start what was killed than the schedule thinks. What was to be over by the time of a fault is
 * waited for, and everything behind it happens later, so that recovery has the room that the schedule leaves for it; what no longer
 * fits into the time does not happen.
 */
final class Storm {
    private static final long LOOK_MILLIS = 50;

    private final Injection injection;
    private final Progress progress;
    private final long began;
    private final BooleanSupplier stopped;
    private final List<Happening> happenings = new ArrayList<>();
    private long late;

    /** Carries a fault out, from its beginning to its end. */
    @FunctionalInterface
    interface Injection {
        Episode inject(Fault fault) throws InterruptedException;
    }

    private record Happening(Fault fault, Future<Episode> episode) {}

    Storm(Injection injection, Progress progress, long began, BooleanSupplier stopped) {
        this.injection = injection;
        this.progress = progress;
        this.began = began;
        this.stopped = stopped;
    }

    /** Returns when the time is over and everything that was broken is whole again. */
    List<Episode> rage(List<Fault> faults, Duration duration) {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (Fault fault : faults) {
                awaitPlace(fault);
                if (late + fault.end().toMillis() > duration.toMillis()) {
                    break;
                }
                progress.say(fault.text().strip());
                happenings.add(new Happening(fault, threads.submit(() -> injection.inject(fault))));
            }
            List<Episode> episodes = new ArrayList<>();
            for (Happening one : happenings) {
                episodes.add(one.episode().get());
            }
            sleepUntil(began + duration.toMillis());
            return episodes;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A fault could not be carried out", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        } finally {
            threads.shutdownNow();
        }
    }

    private void awaitPlace(Fault fault) throws InterruptedException, ExecutionException {
        sleepUntil(began + late + fault.at().toMillis());
        for (Happening before : happenings) {
            if (before.fault().end().compareTo(fault.at()) <= 0) {
                while (!before.episode().isDone()) {
                    look(LOOK_MILLIS);
                }
                // Also tells at once that a fault could not be carried out.
                Episode episode = before.episode().get();
                late = Math.max(
                        late,
                        episode.healthy() - began - before.fault().healthy().toMillis());
            }
        }
        sleepUntil(began + late + fault.at().toMillis());
        late = Math.max(late, SteadyClock.millis() - began - fault.at().toMillis());
    }

    private void sleepUntil(long moment) throws InterruptedException {
        for (long left = moment - SteadyClock.millis(); left > 0; left = moment - SteadyClock.millis()) {
            look(Math.min(LOOK_MILLIS, left));
        }
    }

    private void look(long millis) throws InterruptedException {
        if (stopped.getAsBoolean()) {
            throw new StoppedException();
        }
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
