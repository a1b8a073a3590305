package dev.waybill.chaos.run;

import dev.waybill.chaos.check.Books;
import dev.waybill.chaos.check.Checker;
import dev.waybill.chaos.check.Judgement;
import dev.waybill.chaos.check.Remains;
import dev.waybill.chaos.clock.SteadyClock;
import dev.waybill.chaos.clock.TimeOfDay;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.Fault;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.chaos.stage.Databases;
import dev.waybill.chaos.stage.Slot;
import dev.waybill.chaos.stage.Stage;
import dev.waybill.server.cli.LogFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run: servers, fleet, load and faults; then healing, and the judgement. */
public final class ChaosRun {
    /** What is left of a backlog has to be delivered, and to take effect, in this time. */
    static final Duration LONGEST_DRAIN = Duration.ofSeconds(90);

    private static final Logger LOG = LoggerFactory.getLogger(ChaosRun.class);
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    /** With these everything has been used once, and is warm. */
    private static final long FIRST_EFFECTS = 500;

    private static final Duration LOOK = Duration.ofMillis(250);

    private final Settings settings;
    private final List<Fault> faults;
    private final Databases database;
    private final Path folder;
    private final Progress progress;
    private volatile boolean stopped;

    /**
     * Prepares a run.
     *
     * @param folder for data, logs and journals
     */
    public ChaosRun(Settings settings, List<Fault> faults, Databases database, Path folder, Progress progress) {
        this.settings = settings;
        this.faults = List.copyOf(faults);
        this.database = database;
        this.folder = folder;
        this.progress = progress;
    }

    /** Ends the run at its next step. From any thread. */
    public void stop() {
        stopped = true;
    }

    public RunResult run() {
        try (LogFile log = LogFile.open(folder.resolve("waybill.log"))) {
            LOG.info("The log is {}", log.path());
            try {
                return perform();
            } catch (IllegalStateException | UncheckedIOException e) {
                LOG.error("The run failed", e);
                throw e;
            }
        }
    }

    private RunResult perform() {
        progress.say("starting database and broker");
        try (TimeOfDay timeOfDay = TimeOfDay.watch();
                Stage stage = Stage.open(settings, folder, database);
                HeldTransactions held = new HeldTransactions(stage.database().target(), folder);
                Remains remains = new Remains(stage.database().target(), stage.consumersTarget())) {
            startFleet(stage);
            await(() -> remains.effects() >= FIRST_EFFECTS, LONGEST_START);
            long began = SteadyClock.millis();
            List<Episode> episodes;
            Vitals vitals = new Vitals(remains, progress);
            try {
                Injector injector = new Injector(stage, held);
                Storm storm = new Storm(injector::inject, progress, began, () -> stopped);
                episodes = storm.rage(faults, settings.duration());
            } finally {
                vitals.close();
            }
            requireGoingOn();
            progress.say("healed; writers end, the backlog drains");
            stage.endWriters();
            long ended = SteadyClock.millis();
            Books books = read(remains);
            Duration drained = drain(remains, books.committed().size());
            progress.say("comparing what was committed with what arrived");
            Judgement judgement = Checker.judge(
                    settings, books, episodes, folder, stage.broker().bootstrapServers(), timeOfDay, remains);
            return new RunResult(
                    settings,
                    stage.database().description(),
                    episodes,
                    judgement,
                    began,
                    ended,
                    drained,
                    stage.ownEnds());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startFleet(Stage stage) {
        progress.say("starting " + settings.relays() + " relays, " + settings.consumers() + " consumers, "
                + settings.writers() + " writers");
        List<Slot> inOrder = Stream.of(stage.relays(), stage.consumers(), stage.writers())
                .flatMap(List::stream)
                .toList();
        inOrder.forEach(slot -> {
            requireGoingOn();
            slot.startAndAwait(LONGEST_START);
        });
    }

    private Books read(Remains remains) throws IOException {
        try (Connection connection = remains.producersDatabase()) {
            return Books.read(folder, connection);
        } catch (SQLException e) {
            throw new IllegalStateException("The bookings could not be read", e);
        }
    }

    /** Waits until everything has arrived and taken effect; what has not is for the checker to find. */
    private Duration drain(Remains remains, long committed) {
        long began = System.nanoTime();
        boolean drained = await(
                () -> remains.pending() == 0 && remains.aside() == 0 && remains.effects() >= committed, LONGEST_DRAIN);
        if (!drained) {
            progress.say("not everything has arrived within " + LONGEST_DRAIN.toSeconds() + " s");
        }
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private boolean await(BooleanSupplier done, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (!done.getAsBoolean()) {
            requireGoingOn();
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoppedException();
            }
        }
        return true;
    }

    private void requireGoingOn() {
        if (stopped) {
            throw new StoppedException();
        }
    }
}
