package dev.waybill.server.scenario;

import dev.waybill.WaybillException;
import dev.waybill.server.cli.Figures;
import dev.waybill.server.cli.JsonTarget;
import dev.waybill.server.cli.LogFile;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.UsageException;
import dev.waybill.server.cli.Workspace;
import dev.waybill.server.database.DatabaseChoice;
import dev.waybill.server.database.ScratchDatabase;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a scenario, from an empty folder to its exit code. */
final class ScenarioRun {
    private static final Logger LOG = LoggerFactory.getLogger(ScenarioRun.class);
    private static final String TABLE_PREFIX = "waybill_scenario_";

    private final Terminal terminal;
    private final DatabaseChoice choice;
    private final boolean fixes;
    private final Duration within;
    private final @Nullable JsonTarget report;
    private final Pace pace;
    private final Narrator narrator;

    ScenarioRun(
            Terminal terminal,
            DatabaseChoice choice,
            boolean guided,
            boolean fixes,
            Duration within,
            @Nullable JsonTarget report) {
        this.terminal = terminal;
        this.choice = choice;
        this.fixes = fixes;
        this.within = within;
        this.report = report;
        pace = new Pace(terminal.in());
        narrator = new Narrator(terminal, pace, guided);
    }

    /** Ends it early; {@link #run} then cleans up and returns. From any thread. */
    void stop() {
        pace.stop();
    }

    int run() {
        Workspace workspace = Workspace.create("waybill-scenario-");
        try (LogFile logging = LogFile.open(workspace.log())) {
            LOG.info("Scenario on {}, logging to {}", choice, logging.path());
            return run(workspace);
        } catch (UsageException e) {
            workspace.delete();
            throw e;
        }
    }

    private int run(Workspace workspace) {
        try {
            play(workspace);
            workspace.clear();
            return 0;
        } catch (UsageException e) {
            throw e;
        } catch (StoppedException e) {
            workspace.clear();
            narrator.line("");
            narrator.line("Stopped; what the scenario made is removed.");
        } catch (BrokenClaimException e) {
            narrator.line("");
            narrator.line(narrator.bad("The scenario failed: a check did not hold."));
            narrator.line("  Kept to look at: " + workspace.folder());
        } catch (RuntimeException e) {
            LOG.error("The scenario failed", e);
            terminal.err()
                    .println("waybill scenario dead-letter: failed, see " + workspace.log() + ": " + e.getMessage());
        }
        return 1;
    }

    private void play(Workspace workspace) {
        try (ScratchDatabase database = choice.open(workspace.folder(), TABLE_PREFIX, terminal)) {
            DeadLetterScenario scenario = null;
            try (Stage stage = set(database)) {
                narrator.line("A dead letter, from its cause to its repair. " + database.description() + ", log in "
                        + workspace.log());
                scenario = new DeadLetterScenario(stage, narrator, pace, fixes, within);
                scenario.play();
            } catch (StoppedException e) {
                database.cleanUp();
                throw e;
            } finally {
                write(database.description(), scenario);
            }
            database.cleanUp();
        }
    }

    private static Stage set(ScratchDatabase database) {
        try {
            return Stage.set(database);
        } catch (WaybillException | IllegalStateException e) {
            throw new UsageException(
                    "the tables could not be made in " + database.description() + ": " + e.getMessage(), e);
        }
    }

    private void write(String database, @Nullable DeadLetterScenario scenario) {
        if (report == null || scenario == null) {
            return;
        }
        report.write(
                terminal.out(),
                new Figures()
                        .with("scenario", "dead-letter")
                        .with("database", database)
                        .with("holds", scenario.isOver() && narrator.holds())
                        .with("replaySeconds", scenario.replayTook())
                        .with("followedSeconds", scenario.followersTook())
                        .with("steps", narrator.steps()));
    }
}
