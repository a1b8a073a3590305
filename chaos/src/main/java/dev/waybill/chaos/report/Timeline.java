package dev.waybill.chaos.report;

import dev.waybill.chaos.check.Passage;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.FaultKind.Part;
import dev.waybill.chaos.run.RunResult;
import dev.waybill.server.cli.Svg;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** A picture of a run: faults above throughput and latency, on one axis of time. */
public final class Timeline {
    private static final int WIDTH = 1200;
    private static final int LEFT = 150;
    private static final int RIGHT = 24;
    private static final int FAULTS_TOP = 72;
    private static final int HEIGHT = 18;
    private static final int PANEL = 170;
    private static final int GAP = 44;
    private static final Map<Part, Row> ROWS = Map.of(
            Part.RELAYS, new Row(0, "relays", "#b91c1c"),
            Part.WRITERS, new Row(1, "writers", "#a16207"),
            Part.CONSUMERS, new Row(2, "consumers", "#7e22ce"),
            Part.OUTBOX, new Row(3, "held transactions", "#be185d"),
            Part.DATABASE, new Row(4, "database", "#1d4ed8"),
            Part.BROKER, new Row(5, "broker", "#0e7490"),
            Part.DATABASE_LINKS, new Row(6, "net to database", "#4d7c0f"),
            Part.BROKER_LINKS, new Row(7, "net to broker", "#15803d"));

    /** Where the faults of a part stand. */
    private record Row(int number, String name, String colour) {
        static Row of(Episode episode) {
            return Objects.requireNonNull(ROWS.get(episode.fault().kind().part()));
        }

        int top() {
            return FAULTS_TOP + number * HEIGHT;
        }
    }

    private final RunResult result;
    private final Series series;
    private final Svg svg = new Svg();

    private Timeline(RunResult result) {
        this.result = result;
        series = new Series(result.began(), result.ended() + result.drained().toMillis());
    }

    public static String of(RunResult result) {
        return new Timeline(result).draw();
    }

    private String draw() {
        int throughputTop = FAULTS_TOP + ROWS.size() * HEIGHT + GAP;
        int latencyTop = throughputTop + PANEL + GAP;
        int height = latencyTop + PANEL + 40;
        svg.line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\"", WIDTH, height);
        svg.line("    aria-label=\"faults, throughput and latency\" font-family=\"sans-serif\" font-size=\"12\">");
        svg.line("  <rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
        heading();
        bands(throughputTop, latencyTop + PANEL);
        faults();
        throughput(throughputTop);
        latency(latencyTop);
        axis(latencyTop + PANEL);
        svg.line("</svg>");
        return svg.toString();
    }

    private void heading() {
        String verdict = result.judgement().holds() ? "every promise holds" : "A PROMISE IS BROKEN";
        svg.line(
                "  <text x=\"16\" y=\"26\" font-size=\"17\" font-weight=\"bold\" fill=\"#1f2937\">%s</text>",
                Svg.text("waybill chaos, seed " + result.settings().seed() + ": " + verdict));
        svg.line(
                "  <text x=\"16\" y=\"46\" fill=\"#4b5563\">%s</text>",
                Svg.text(String.format(
                        Locale.ROOT,
                        "%d faults, %,d events committed, %,d records, %,d duplicates; %s",
                        result.episodes().size(),
                        result.judgement().findings().committed(),
                        result.judgement().findings().records(),
                        result.judgement().findings().duplicates(),
                        result.database())));
    }

    private void faults() {
        for (Row row : ROWS.values()) {
            int bottom = row.top() + HEIGHT;
            label(row.top() + 13, row.name());
            svg.line(
                    "  <line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#e5e7eb\"/>",
                    LEFT, bottom, WIDTH - RIGHT, bottom);
        }
        for (Episode episode : result.episodes()) {
            Row row = Row.of(episode);
            double from = x(episode.began());
            svg.line(
                    "  <rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"><title>%s</title></rect>",
                    from,
                    row.top() + 3,
                    Math.max(3, x(episode.ended()) - from),
                    HEIGHT - 5,
                    row.colour(),
                    Svg.text(episode.fault().text().strip()));
        }
    }

    /** Faults shine through the curves. */
    private void bands(int top, int bottom) {
        for (Episode episode : result.episodes()) {
            double from = x(episode.began());
            svg.line(
                    "  <rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" opacity=\"0.07\"/>",
                    from,
                    top,
                    Math.max(2, x(episode.ended()) - from),
                    bottom - top,
                    Row.of(episode).colour());
        }
    }

    private void throughput(int top) {
        List<Passage> deliveries = result.judgement().flow().deliveries();
        double[] commits = series.rate(deliveries, Passage::available);
        double[] arrivals = series.rate(deliveries, Passage::done);
        double[] effects = series.rate(result.judgement().flow().effects(), Passage::done);
        Scale scale = Scale.linear(Scale.most(commits, arrivals, effects), top, PANEL);
        panel(top, "events per second", scale);
        curve(effects, scale, "#a78bfa");
        curve(arrivals, scale, "#0f766e");
        curve(commits, scale, "#111827");
        legend(top, List.of("committed", "delivered", "took effect"), List.of("#111827", "#0f766e", "#a78bfa"));
    }

    private void latency(int top) {
        List<Passage> deliveries = result.judgement().flow().deliveries();
        double[] slowest = series.latency(deliveries, 1);
        double[] median = series.latency(deliveries, 0.5);
        Scale scale = Scale.logarithmic(1, Math.max(1_000, Scale.most(slowest)), top, PANEL);
        panel(top, "ms from commit to topic", scale);
        curve(slowest, scale, "#dc2626");
        curve(median, scale, "#1d4ed8");
        legend(top, List.of("slowest", "median"), List.of("#dc2626", "#1d4ed8"));
    }

    private void panel(int top, String title, Scale scale) {
        svg.line("  <text x=\"%d\" y=\"%d\" font-weight=\"bold\" fill=\"#1f2937\">%s</text>", LEFT, top - 10, title);
        for (double tick : scale.ticks()) {
            svg.line(
                    "  <line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#e5e7eb\"/>",
                    LEFT, scale.y(tick), WIDTH - RIGHT, scale.y(tick));
            label((int) scale.y(tick) + 4, String.format(Locale.ROOT, "%,.0f", tick));
        }
    }

    private void legend(int top, List<String> names, List<String> colours) {
        int x = WIDTH - RIGHT - 120 * names.size();
        for (int i = 0; i < names.size(); i++) {
            svg.line(
                    "  <rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>",
                    x + i * 120, top - 16, colours.get(i));
            svg.line("  <text x=\"%d\" y=\"%d\" fill=\"#1f2937\">%s</text>", x + i * 120 + 20, top - 10, names.get(i));
        }
    }

    private void curve(double[] values, Scale scale, String colour) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                points.append(String.format(
                        Locale.ROOT, "%.1f,%.1f ", x(result.began() + i * 1000L + 500), scale.y(values[i])));
            }
        }
        svg.line(
                "  <polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>",
                points.toString().strip(), colour);
    }

    private void axis(int y) {
        int step = Scale.step(series.seconds());
        for (int second = 0; second <= series.seconds(); second += step) {
            double x = x(result.began() + second * 1000L);
            svg.line(
                    "  <text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#4b5563\">%d:%02d</text>",
                    x, y + 18, second / 60, second % 60);
        }
    }

    private void label(int y, String text) {
        svg.line(
                "  <text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#4b5563\">%s</text>",
                LEFT - 10, y, Svg.text(text));
    }

    private double x(long millis) {
        double share = (millis - result.began()) / (series.seconds() * 1000.0);
        return LEFT + Math.max(0, Math.min(1, share)) * (WIDTH - LEFT - RIGHT);
    }
}
