package dev.waybill.benchmarks.report;

import dev.waybill.benchmarks.journal.Findings;
import dev.waybill.benchmarks.measure.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what a run finds. Not thread-safe. */
public final class Report {
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<String, Set<String>> settings = new LinkedHashMap<>();
    private final List<Figure> figures = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();
    private final Map<String, Findings> findings = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /** What the run ran on. */
    public void environment(String name, String value) {
        environment.put(name, value);
    }

    /** How a contender is set up. */
    public void settings(String contender, String text) {
        settings.computeIfAbsent(contender, name -> new LinkedHashSet<>()).add(text);
    }

    public void figure(Figure figure) {
        figures.add(figure);
    }

    public void check(Bar bar, Spread spread) {
        checks.add(new Check(bar, spread));
    }

    /** Adds what a comparison of Waybill's messages has found to what is known of the scenario. */
    public void findings(String scenario, Findings found) {
        findings.merge(scenario, found, Findings::plus);
    }

    /** A scenario could not be measured to its end: the run does not hold, and the others still tell something. */
    public void failure(String scenario, String reason) {
        check(Bars.COMPLETED.in(scenario), Spread.of(0));
        note(scenario + " failed: " + reason);
    }

    /** Something that the reader of the result has to know. */
    public void note(String text) {
        notes.add(text);
    }

    public Map<String, String> environment() {
        return Collections.unmodifiableMap(environment);
    }

    /** Of each contender, as different as the scenarios asked for. */
    public Map<String, List<String>> settings() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        settings.forEach((contender, texts) -> all.put(contender, List.copyOf(texts)));
        return all;
    }

    public List<Figure> figures() {
        return List.copyOf(figures);
    }

    public Map<String, Findings> findings() {
        return Collections.unmodifiableMap(findings);
    }

    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Those of the scenarios, and that nothing was lost or out of order in any of them. */
    public List<Check> checks() {
        List<Check> all = new ArrayList<>(checks);
        findings.forEach((scenario, found) -> {
            all.add(new Check(Bars.LOST.in(scenario), Spread.of((double) found.lost())));
            all.add(new Check(Bars.OUT_OF_ORDER.in(scenario), Spread.of((double) found.outOfOrder())));
        });
        return all;
    }

    public boolean holds() {
        return checks().stream().allMatch(Check::holds);
    }
}
