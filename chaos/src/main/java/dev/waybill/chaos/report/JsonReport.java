package dev.waybill.chaos.report;

import dev.waybill.chaos.check.Check;
import dev.waybill.chaos.check.Findings;
import dev.waybill.chaos.check.Judgement;
import dev.waybill.chaos.check.Passage;
import dev.waybill.chaos.check.Recovery;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.chaos.run.RunResult;
import dev.waybill.server.cli.Figures;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result for programs. */
public final class JsonReport {
    private JsonReport() {}

    public static Figures of(RunResult result) {
        Judgement judgement = result.judgement();
        Map<String, Long> counts = new LinkedHashMap<>();
        for (FaultKind kind : FaultKind.values()) {
            counts.put(kind.name().toLowerCase(Locale.ROOT), result.count(kind));
        }
        return new Figures()
                .with("holds", judgement.holds())
                .with("settings", settings(result))
                .with("faults", counts)
                .with("network_faults", result.networkFaults())
                .with("findings", findings(judgement.findings()))
                .with(
                        "checks",
                        judgement.checks().stream().map(JsonReport::check).toList())
                .with("drained_seconds", result.drained())
                .with("own_ends", result.ownEnds())
                .with(
                        "deliveries",
                        judgement.deliveries().stream()
                                .map(one -> recovery(result, one))
                                .toList())
                .with(
                        "effects",
                        judgement.effects().stream()
                                .map(one -> recovery(result, one))
                                .toList())
                .with("per_second", perSecond(result));
    }

    private static Figures settings(RunResult result) {
        Settings settings = result.settings();
        return new Figures()
                .with("seed", settings.seed())
                .with("database", result.database())
                .with("mode", settings.mode())
                .with("seconds", settings.duration())
                .with("lease_seconds", settings.lease())
                .with("relays", settings.relays())
                .with("writers", settings.writers())
                .with("consumers", settings.consumers())
                .with("rate", settings.rate())
                .with("window", settings.window());
    }

    private static Figures findings(Findings found) {
        return new Figures()
                .with("committed", found.committed())
                .with("undone", found.undone())
                .with("unknown_transactions", found.unknown())
                .with("unknown_committed", found.unknownCommitted())
                .with("contradictions", found.contradictions())
                .with("records", found.records())
                .with("duplicates", found.duplicates())
                .with("duplicate_bound", found.duplicateBound())
                .with("lost", found.lost())
                .with("ghosts", found.ghosts())
                .with("out_of_order", found.outOfOrder())
                .with("received", found.received())
                .with("received_ghosts", found.receivedGhosts())
                .with("effects", found.effects())
                .with("effects_missing", found.effectsMissing())
                .with("effects_doubled", found.effectsDoubled())
                .with("effects_of_ghosts", found.effectsOfGhosts())
                .with("effects_out_of_order", found.effectsOutOfOrder())
                .with("dead_letters", found.deadLetters())
                .with("consumer_dead_letters", found.consumerDeadLetters())
                .with("left_over", found.leftOver())
                .with("examples", found.examples());
    }

    private static Figures check(Check check) {
        return new Figures()
                .with("name", check.name())
                .with("value", check.value())
                .with("bar", check.bar())
                .with("holds", check.holds());
    }

    private static Figures recovery(RunResult result, Recovery recovery) {
        Episode episode = recovery.episode();
        return new Figures()
                .with("number", episode.fault().number())
                .with("kind", episode.fault().kind())
                .with("text", episode.fault().text().strip())
                .with("began_seconds", Duration.ofMillis(episode.began() - result.began()))
                .with("healthy_seconds", Duration.ofMillis(episode.healthy() - result.began()))
                .with("ended_seconds", Duration.ofMillis(episode.ended() - result.began()))
                .with("strikes", episode.strikes())
                .with("recovery_seconds", recovery.longest())
                .with("lane", recovery.lane())
                .with("overtaken", recovery.overtaken());
    }

    private static Figures perSecond(RunResult result) {
        Series series =
                new Series(result.began(), result.ended() + result.drained().toMillis());
        List<Passage> deliveries = result.judgement().flow().deliveries();
        return new Figures()
                .with("committed", numbers(series.rate(deliveries, Passage::available)))
                .with("delivered", numbers(series.rate(deliveries, Passage::done)))
                .with("effects", numbers(series.rate(result.judgement().flow().effects(), Passage::done)))
                .with("median_millis", numbers(series.latency(deliveries, 0.5)))
                .with("slowest_millis", numbers(series.latency(deliveries, 1)));
    }

    private static List<Object> numbers(double[] values) {
        return Arrays.stream(values)
                .<Object>mapToObj(value -> Double.isNaN(value) ? "" : (Object) Math.round(value))
                .toList();
    }
}
