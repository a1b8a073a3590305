package dev.waybill.chaos.check;

import dev.waybill.chaos.plan.DeliveryMode;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.FaultKind.Part;
import dev.waybill.chaos.plan.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What was found, and whether it holds. Immutable.
 *
 * @param deliveries how deliveries recovered from each fault
 * @param effects    how consumers recovered from each fault that strikes them
 */
public record Judgement(
        Findings findings, List<Recovery> deliveries, List<Recovery> effects, List<Check> checks, Flow flow) {
    private static final Set<Part> HOLD_DELIVERIES =
            Set.of(Part.RELAYS, Part.DATABASE, Part.BROKER, Part.DATABASE_LINKS, Part.BROKER_LINKS);

    public Judgement {
        deliveries = List.copyOf(deliveries);
        effects = List.copyOf(effects);
        checks = List.copyOf(checks);
    }

    static Judgement of(Settings settings, Findings findings, List<Episode> episodes, Flow flow) {
        Duration bound = settings.longestRecovery();
        Standstills deliveries = new Standstills(flow.deliveries(), HOLD_DELIVERIES);
        Standstills effects = new Standstills(flow.effects(), holdEffects(settings.mode()));
        List<Recovery> ofDeliveries = episodes.stream()
                .map(episode -> deliveries.after(episode, episodes))
                .toList();
        List<Recovery> ofEffects = episodes.stream()
                .filter(effects::concern)
                .map(episode -> effects.after(episode, episodes))
                .toList();
        List<Check> checks = new ArrayList<>(promises(findings));
        checks.add(slowest("slowest recovery of deliveries", ofDeliveries, bound));
        checks.add(slowest("slowest recovery of effects", ofEffects, bound));
        if (!episodes.isEmpty()) {
            // Else nearly everything could be counted for the fault that came next.
            long alone = ofDeliveries.stream().filter(one -> !one.overtaken()).count();
            checks.add(Check.atLeast("faults recovered from before the next one", alone, episodes.size() / 2));
        }
        checks.addAll(Quota.of(settings, episodes, findings.committed()));
        return new Judgement(findings, ofDeliveries, ofEffects, checks, flow);
    }

    /** Whoever reads what is committed waits behind a transaction that a relay has left open. */
    private static Set<Part> holdEffects(DeliveryMode mode) {
        EnumSet<Part> parts = EnumSet.of(Part.CONSUMERS, Part.DATABASE, Part.BROKER);
        if (mode == DeliveryMode.EXACTLY_ONCE) {
            parts.addAll(HOLD_DELIVERIES);
        }
        return parts;
    }

    public boolean holds() {
        return checks.stream().allMatch(Check::holds);
    }

    private static List<Check> promises(Findings found) {
        return List.of(
                Check.zero("lost", found.lost()),
                Check.zero("ghosts", found.ghosts() + found.receivedGhosts()),
                Check.zero("out of order", found.outOfOrder()),
                Check.atMost("duplicates", found.duplicates(), found.duplicateBound()),
                Check.zero("events without effect", found.effectsMissing()),
                Check.zero("effects twice", found.effectsDoubled()),
                Check.zero("effects of ghosts", found.effectsOfGhosts()),
                Check.zero("effects out of order", found.effectsOutOfOrder()),
                Check.zero("dead letters", found.deadLetters() + found.consumerDeadLetters()),
                Check.zero("left in outbox and siding", found.leftOver()),
                Check.zero("commits that the database contradicts", found.contradictions()),
                Check.atLeast("events committed", found.committed(), 1));
    }

    private static Check slowest(String name, List<Recovery> recoveries, Duration bound) {
        Duration slowest = recoveries.stream()
                .map(Recovery::longest)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        return Check.atMost(name, slowest, bound);
    }
}
