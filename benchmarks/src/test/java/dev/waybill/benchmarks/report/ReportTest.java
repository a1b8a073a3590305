package dev.waybill.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.benchmarks.journal.Findings;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.server.cli.JsonTarget;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class ReportTest {
    private final Report report = new Report();

    @Test
    void theMedianDecidesWhateverTheIntervalIs() {
        report.check(Bars.WRITE_ONE, new Spread(0.9, 0.5, 1.5));
        assertThat(report.holds()).isTrue();
        report.check(Bars.WRITE_ONE, new Spread(0.899, 0.5, 1.5));
        assertThat(report.holds()).isFalse();
    }

    @Test
    void aBarMayBeAtLeastAtMostOrMoreThan() {
        assertThat(Bars.LATENCY_P50.isMetBy(2)).isTrue();
        assertThat(Bars.LATENCY_P50.isMetBy(2.01)).isFalse();
        assertThat(Bars.DRAIN_DEBEZIUM.isMetBy(2)).isFalse();
        assertThat(Bars.DRAIN_DEBEZIUM.isMetBy(2.01)).isTrue();
    }

    @Test
    void whatIsLostOrOutOfOrderFailsTheRunAndWhatIsDoubledDoesNot() {
        report.findings("drain", new Findings(10, 10, 0, 0, 3, 0));
        assertThat(report.holds()).isTrue();
        report.findings("drain", new Findings(10, 9, 1, 0, 0, 0));
        assertThat(report.holds()).isFalse();
        assertThat(report.findings().get("drain")).isEqualTo(new Findings(20, 19, 1, 0, 3, 0));
    }

    @Test
    void nothingThatWasCheckedForOrderIsLeftOut() {
        report.findings("poison", new Findings(10, 10, 0, 0, 0, 1));
        assertThat(report.checks())
                .filteredOn(check -> !check.holds())
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.bar().scenario()).isEqualTo("poison");
                    assertThat(check.bar().metric()).isEqualTo("out of order");
                });
    }

    @Test
    void aScenarioThatFailedIsACheckThatDoesNotHold() {
        report.failure("kafka", "no broker");
        assertThat(report.holds()).isFalse();
        assertThat(report.checks().get(0).bar().metric()).isEqualTo("completed");
        assertThat(report.notes()).containsExactly("kafka failed: no broker");
    }

    @Test
    void jsonListsTheChecksBesideTheFigures() throws IOException {
        report.check(Bars.DRAIN, Spread.of(0.25));
        report.figure(Figure.of("drain", "retention 0", "Waybill", "events/s", 1, 3, 2));
        String json = JsonTarget.text(JsonReport.of(report));
        assertThat(json)
                .contains("\"scenario\" : \"drain\"")
                .contains("\"metric\" : \"retention 0, of the raw loop\"")
                .contains("\"value\" : 0.25")
                .contains("\"bar\" : \">= 0.50\"")
                .contains("\"holds\" : false")
                .contains("\"median\" : 2.0")
                .contains("\"each\" : [ 1.0, 3.0, 2.0 ]");
    }

    @Test
    void theTablesAreMarkdownAndShowWhatDoesNotHold() {
        report.environment("fsync", "on");
        report.settings("Waybill", "its defaults");
        report.check(Bars.DRAIN, new Spread(0.25, 0.2, 0.3));
        assertThat(MarkdownReport.lines(report))
                .contains("- fsync: on", "- Waybill: its defaults")
                .anySatisfy(
                        line -> assertThat(line)
                                .matches(
                                        "\\| drain +\\| retention 0, of the raw loop \\| 0.25 +\\| 0.20 .. 0.30 \\| >= 0.50 \\| NO +\\|"));
    }

    @Test
    void aChartIsWellFormedAndSaysTitleUnitAndValues() throws IOException, SAXException, ParserConfigurationException {
        report.figure(Figure.of("drain", "a <b> & \"c\"", "Waybill", "events/s", 150_000));
        report.figure(Figure.of("drain", "a <b> & \"c\"", "raw JDBC", "events/s", 200_000, 210_000, 190_000));
        report.figure(Figure.of("memory", "alone", "Waybill", "MB", 45));
        Map<String, String> charts = Charts.of(report, "Waybill");
        assertThat(charts).containsOnlyKeys("bench-drain-a-b-c-.svg");
        String svg = charts.values().iterator().next();
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(document.getDocumentElement().getTextContent())
                .contains("drain: a <b> & \"c\"", "events/s", "Waybill", "150,000", "raw JDBC", "200,000");
    }

    @Test
    void numbersKeepThreeDigitsThatMeanSomething() {
        assertThat(Numbers.text(123_456.7)).isEqualTo("123,457");
        assertThat(Numbers.text(12.34)).isEqualTo("12.3");
        assertThat(Numbers.text(0.567)).isEqualTo("0.57");
        assertThat(Numbers.text(0)).isEqualTo("0");
    }
}
