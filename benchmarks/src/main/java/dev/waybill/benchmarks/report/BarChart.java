package dev.waybill.benchmarks.report;

import dev.waybill.server.cli.Svg;
import java.util.ArrayList;
import java.util.List;

/** A bar chart as SVG: every value stands as text beside its bar, and a thin line shows its interval. Not thread-safe. */
final class BarChart {
    private static final int WIDTH = 840;
    private static final int LABELS = 320;
    private static final int VALUES = 90;
    private static final int ROW = 26;
    private static final int BAR = 16;
    private static final int TOP = 62;
    private static final int MARGIN = 16;

    private record Row(String label, double value, double low, double high, boolean ours) {}

    private final String title;
    private final String unit;
    private final List<Row> rows = new ArrayList<>();

    BarChart(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    BarChart bar(Figure figure, boolean ours) {
        rows.add(new Row(
                figure.contender(),
                figure.spread().median(),
                figure.spread().low(),
                figure.spread().high(),
                ours));
        return this;
    }

    String svg() {
        int height = TOP + rows.size() * ROW + MARGIN;
        double most = rows.stream().mapToDouble(Row::high).max().orElse(1);
        Svg svg = new Svg();
        svg.line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\"", WIDTH, height);
        svg.line(
                "    aria-label=\"%s, %s\" font-family=\"sans-serif\" font-size=\"13\">",
                Svg.text(title), Svg.text(unit));
        svg.line("  <rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
        svg.line(
                "  <text x=\"%d\" y=\"26\" font-size=\"17\" font-weight=\"bold\" fill=\"#1f2937\">%s</text>",
                MARGIN, Svg.text(title));
        svg.line(
                "  <text x=\"%d\" y=\"46\" fill=\"#4b5563\">%s; the line is the interval</text>",
                MARGIN, Svg.text(unit));
        for (int i = 0; i < rows.size(); i++) {
            row(svg, rows.get(i), TOP + i * ROW, most <= 0 ? 1 : most);
        }
        svg.line("</svg>");
        return svg.toString();
    }

    private static void row(Svg svg, Row row, int y, double most) {
        int room = WIDTH - LABELS - VALUES - MARGIN;
        double scale = room / most;
        int middle = y + BAR / 2;
        svg.line(
                "  <text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#1f2937\"%s>%s</text>",
                LABELS - 10, y + 13, row.ours ? " font-weight=\"bold\"" : "", Svg.text(row.label));
        svg.line(
                "  <rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                LABELS, y, row.value * scale, BAR, row.ours ? "#0f766e" : "#94a3b8");
        svg.line(
                "  <line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#111827\"/>",
                LABELS + row.low * scale, middle, LABELS + row.high * scale, middle);
        svg.line(
                "  <text x=\"%.1f\" y=\"%d\" fill=\"#1f2937\">%s</text>",
                LABELS + Math.max(row.value, row.high) * scale + 8, y + 13, Svg.text(Numbers.text(row.value)));
    }
}
