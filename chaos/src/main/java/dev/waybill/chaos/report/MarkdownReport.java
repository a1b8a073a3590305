package dev.waybill.chaos.report;

import dev.waybill.chaos.check.Check;
import dev.waybill.chaos.check.Findings;
import dev.waybill.chaos.check.Recovery;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.FaultKind;
import dev.waybill.chaos.plan.Settings;
import dev.waybill.chaos.run.RunResult;
import dev.waybill.server.cli.MarkdownTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The result as Markdown that also reads well on a terminal. */
public final class MarkdownReport {
    private MarkdownReport() {}

    /** What a person wants to know first. */
    public static List<String> summary(RunResult result) {
        List<String> lines = new ArrayList<>(head(result));
        lines.add("");
        lines.addAll(kinds(result));
        lines.add("");
        lines.addAll(checks(result));
        List<String> examples = result.judgement().findings().examples();
        if (!examples.isEmpty()) {
            lines.add("");
            examples.forEach(example -> lines.add("- " + example));
        }
        return lines;
    }

    /** The summary, and every single fault. */
    public static List<String> lines(RunResult result) {
        List<String> lines = new ArrayList<>(summary(result));
        lines.add("");
        lines.addAll(faults(result));
        return lines;
    }

    private static List<String> head(RunResult result) {
        Settings settings = result.settings();
        Findings found = result.judgement().findings();
        return List.of(
                "- seed: " + settings.seed() + ", " + settings.duration().toSeconds() + " s; " + result.database(),
                "- fleet: " + settings.relays() + " relays (lease " + seconds(settings.lease()) + ", window "
                        + settings.window() + ", "
                        + settings.mode().name().toLowerCase(Locale.ROOT) + "), " + settings.writers() + " writers, "
                        + settings.consumers() + " consumers",
                String.format(
                        Locale.ROOT,
                        "- events: %,d committed, %,d rolled back; of %,d transactions the writers did not know what became"
                                + " of them, the database had %,d",
                        found.committed(),
                        found.undone(),
                        found.unknown(),
                        found.unknownCommitted()),
                String.format(
                        Locale.ROOT,
                        "- topics: %,d records, %,d of them duplicates; consumers received %,d; %,d effects",
                        found.records(),
                        found.duplicates(),
                        found.received(),
                        found.effects()),
                "- drained " + seconds(result.drained())
                        + " after the end of the load; processes that ended by themselves: " + result.ownEnds());
    }

    private static List<String> kinds(RunResult result) {
        MarkdownTable table = new MarkdownTable("fault", "times", "slowest recovery", "of effects");
        for (FaultKind kind : FaultKind.values()) {
            if (result.count(kind) > 0) {
                table.row(
                        kind.text(),
                        String.valueOf(result.count(kind)),
                        slowest(result.judgement().deliveries(), kind),
                        slowest(result.judgement().effects(), kind));
            }
        }
        return table.lines();
    }

    private static String slowest(List<Recovery> recoveries, FaultKind kind) {
        return recoveries.stream()
                .filter(one -> one.episode().fault().kind() == kind)
                .map(Recovery::longest)
                .max(Duration::compareTo)
                .map(MarkdownReport::seconds)
                .orElse("");
    }

    private static List<String> checks(RunResult result) {
        MarkdownTable table = new MarkdownTable("check", "value", "bar", "holds");
        for (Check check : result.judgement().checks()) {
            table.row(check.name(), check.value(), check.bar(), check.holds() ? "yes" : "NO");
        }
        return table.lines();
    }

    private static List<String> faults(RunResult result) {
        Map<Episode, Recovery> effects =
                result.judgement().effects().stream().collect(Collectors.toMap(Recovery::episode, Function.identity()));
        MarkdownTable table = new MarkdownTable("fault", "lasted", "recovery", "of effects");
        for (Recovery one : result.judgement().deliveries()) {
            Episode episode = one.episode();
            Recovery effect = effects.get(episode);
            table.row(
                    episode.fault().text().strip().replaceAll(" +", " "),
                    seconds(Duration.ofMillis(episode.ended() - episode.began())),
                    text(one),
                    effect == null ? "" : text(effect));
        }
        return table.lines();
    }

    private static String text(Recovery recovery) {
        return seconds(recovery.longest()) + (recovery.overtaken() ? ", then the next fault" : "");
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
}
