package dev.waybill.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The pictures of a report: one for each measurement that has something to compare; single outliers are none. */
public final class Charts {
    private Charts() {}

    /**
     * The pictures by file name.
     *
     * @param ours contenders whose name begins so are drawn in another colour
     */
    public static Map<String, String> of(Report report, String ours) {
        Map<String, List<Figure>> groups = report.figures().stream()
                .collect(Collectors.groupingBy(
                        figure -> figure.scenario() + ": " + figure.what(), LinkedHashMap::new, Collectors.toList()));
        Map<String, String> charts = new LinkedHashMap<>();
        groups.forEach((title, figures) -> {
            if (figures.size() > 1 && !title.endsWith(", max")) {
                BarChart chart = new BarChart(title, figures.get(0).unit());
                figures.forEach(figure -> chart.bar(figure, figure.contender().startsWith(ours)));
                charts.put(fileName(title), chart.svg());
            }
        });
        return charts;
    }

    private static String fileName(String title) {
        return "bench-" + title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
    }
}
