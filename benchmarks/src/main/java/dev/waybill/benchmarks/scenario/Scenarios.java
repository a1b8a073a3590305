package dev.waybill.benchmarks.scenario;

import dev.waybill.benchmarks.report.Bars;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All scenarios by name, in the order in which they run. */
public final class Scenarios {
    private static final Map<String, Scenario> ALL = all();

    private static final String MICRO = "micro";

    private Scenarios() {}

    /** Those that run when none is named. */
    public static List<String> usual() {
        return names().stream().filter(name -> !name.equals(MICRO)).toList();
    }

    public static List<String> names() {
        return new ArrayList<>(ALL.keySet());
    }

    static Scenario named(String name) {
        Scenario scenario = ALL.get(name);
        if (scenario == null) {
            throw new IllegalArgumentException("There is no scenario " + name + "; there are " + names());
        }
        return scenario;
    }

    private static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("write", new WriteScenario());
        all.put("drain", new DrainScenario());
        all.put("latency", new LatencyScenario());
        all.put("growth", new GrowthScenario());
        all.put("horizon", new HorizonScenario());
        all.put("poison", new PoisonScenario());
        all.put("scale", new ScaleScenario());
        all.put("kafka", new KafkaScenario());
        all.put("memory", new MemoryScenario());
        all.put("mariadb", new OtherDatabaseScenario("mariadb", Bars.MARIADB));
        all.put("h2", new OtherDatabaseScenario("h2", Bars.H2));
        all.put(MICRO, new MicroScenario());
        return all;
    }
}
