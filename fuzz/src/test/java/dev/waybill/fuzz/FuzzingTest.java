package dev.waybill.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real fuzzing, a little in every build and from another seed each time. */
class FuzzingTest {
    private static final Duration TOTAL = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void aMinuteOfFuzzingFindsNothing() throws IOException, InterruptedException {
        int seed = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE / 2);
        System.out.println("fuzzing all targets, seed " + seed);
        Campaign campaign = new Campaign(Targets.names(), seed, folder.resolve("runs"), folder.resolve("corpus"));

        List<Report> reports = campaign.run(TOTAL, System.out::println);

        Map<String, Long> inputs = new HashMap<>();
        for (Report report : reports) {
            assertThat(report.findings()).isEmpty();
            // Without instrumentation it would be guessing, not fuzzing.
            assertThat(report.coverage()).isGreaterThan(100);
            inputs.putAll(report.inputs());
        }
        assertThat(inputs).containsOnlyKeys(Targets.names());
        assertThat(inputs.values()).allMatch(count -> count > 0);
    }

    @Test
    void whatBreaksIsFoundAndShownAsALineOfTheCorpus() throws IOException, InterruptedException {
        Campaign campaign = new Campaign(List.of("self-test"), 1, folder.resolve("runs"), folder.resolve("corpus"));

        Report report = campaign.run(Duration.ofSeconds(60), ignored -> {}).get(0);

        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.reason()).contains("BrokenException: The self-test breaks");
            assertThat(finding.line()).startsWith("waybill");
        });
    }
}
