package dev.waybill.chaos.run;

import dev.waybill.chaos.check.Remains;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Says every few seconds how much waits and how much took effect, as far as the database answers. */
final class Vitals implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> looks;

    Vitals(Remains remains, Progress progress) {
        looks = clock.scheduleAtFixedRate(
                () -> look(remains, progress), EVERY.toSeconds(), EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private static void look(Remains remains, Progress progress) {
        try {
            progress.say(String.format(
                    Locale.ROOT, "%,d effects, %,d waiting in the outbox", remains.effects(), remains.pending()));
        } catch (RuntimeException e) {
            progress.say("the database does not answer");
        }
    }

    @Override
    public void close() {
        looks.cancel(true);
        clock.shutdownNow();
    }
}
