package dev.waybill.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.Schedule;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.chaos.report.MarkdownReport;
import dev.waybill.chaos.run.ChaosRun;
import dev.waybill.chaos.run.Progress;
import dev.waybill.chaos.run.RunResult;
import dev.waybill.chaos.stage.Databases;
import dev.waybill.server.cli.Terminal;
import dev.waybill.server.cli.Workspace;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All promises in one and a half minutes, with real processes and real faults; from another seed each time. */
class ChaosIT {
    private static final Logger log = LoggerFactory.getLogger(ChaosIT.class);
    private static final Duration DURATION = Duration.ofSeconds(90);
    /** Half of what a person's machine is given: others may be at work beside this. */
    private static final int RATE = 150;

    @Test
    void everyPromiseHoldsWhateverBreaks() {
        long seed = ThreadLocalRandom.current().nextLong(1_000_000);
        Settings settings = new Settings(
                seed,
                DURATION,
                Duration.ofSeconds(5),
                3,
                2,
                2,
                RATE,
                128,
                DeliveryMode.IDEMPOTENT,
                EnumSet.complementOf(EnumSet.of(FaultKind.DISK_FULL)));
        Workspace workspace = Workspace.create("waybill-chaos");
        Progress progress = new Progress(Terminal.system());
        progress.say("chaos with seed " + seed + " in " + workspace.folder());
        RunResult result =
                new ChaosRun(settings, Schedule.of(settings), Databases.POSTGRES, workspace.folder(), progress).run();
        String report = String.join("\n", MarkdownReport.lines(result));
        log.info("{}", report);

        assertThat(result.judgement().holds())
                .as("logs and journals are in %s\n%s", workspace.folder(), report)
                .isTrue();
        // Else nothing was proven.
        assertThat(result.judgement().findings().committed()).isGreaterThan(DURATION.toSeconds() * RATE / 3);
        assertThat(result.episodes()).hasSizeGreaterThanOrEqualTo(6);
        assertThat(result.count(FaultKind.RELAY_KILL)).isPositive();
        workspace.delete();
    }
}
