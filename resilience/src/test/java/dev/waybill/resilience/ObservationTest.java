package dev.waybill.resilience;

import static dev.waybill.resilience.Rig.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.resilience.Rig.Declined;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What people see of it: meters and log. */
class ObservationTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.waybill.resilience");
    private static final Pattern METER = Pattern.compile("\\| `((?:resilience4j|waybill)[^`]+)` \\|");

    private final Rig rig = new Rig();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        LOG.addAppender(lines);
        LOG.setLevel(Level.INFO);
        LOG.setAdditive(false);
    }

    @AfterEach
    void close() {
        LOG.detachAppender(lines);
        LOG.setLevel(null);
        LOG.setAdditive(true);
        rig.close();
    }

    @Test
    void aRetryIsAWarningAndItsSuccessAnInformation() {
        call(new IllegalStateException("refused"), new IllegalStateException("refused"));

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.WARN, Level.INFO);
        assertThat(messages())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .matches("Try 1 of payment failed, the next one follows in \\d+ ms:"
                                        + " java.lang.IllegalStateException: refused"),
                        second -> assertThat(second).startsWith("Try 2 of payment failed"),
                        last -> assertThat(last).isEqualTo("payment succeeded after 2 failures"));
    }

    @Test
    void theLastFailureIsAnError() {
        IllegalStateException down = new IllegalStateException("down");
        call(down, down, down);

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.WARN, Level.ERROR);
        assertThat(messages().get(2))
                .isEqualTo("payment failed for good, tries: 3: java.lang.IllegalStateException: down");
    }

    @Test
    void aBusinessErrorIsAnInformationAndCounted() {
        call(new Declined());

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.INFO);
        assertThat(messages().get(0))
                .startsWith("payment failed and is not tried again:")
                .endsWith("card declined");
        assertThat(rig.meters
                        .get("waybill.resilience.retry.ignored")
                        .tag("name", NAME)
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aMessageTakesOneShortLine() {
        call(new IllegalStateException("first\nERROR forged\r\n\u2028" + "x".repeat(10_000)));

        assertThat(messages().get(0))
                .contains("first\\nERROR forged\\r\\n\\u2028x")
                .hasSizeLessThan(350)
                .doesNotContain("\n", "\r", "\u2028");
    }

    @Test
    void aBreakerThatOpensIsAWarning() {
        rig.openBreaker();
        rig.clock.advance(Duration.ofSeconds(10));
        for (int call = 0; call < 3; call++) {
            rig.operations.execute(NAME, () -> 1);
        }

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.INFO, Level.INFO);
        assertThat(messages())
                .containsExactly(
                        "The circuit breaker of payment is open for PT10S",
                        "The circuit breaker of payment is HALF_OPEN",
                        "The circuit breaker of payment is CLOSED");
    }

    @Test
    void thePageNamesEveryMeter() throws IOException {
        call();

        String page = Files.readString(Path.of("..", "docs", "resilience.md"));
        Set<String> documented =
                METER.matcher(page).results().map(row -> row.group(1)).collect(Collectors.toSet());
        assertThat(rig.meters.getMeters().stream().map(meter -> meter.getId().getName()))
                .isNotEmpty()
                .containsOnly(documented.toArray(String[]::new));
    }

    @Test
    void closingTakesTheMetersBackSoThatTheNextOnesCount() {
        call();
        rig.close();
        assertThat(rig.meters.getMeters()).isEmpty();

        try (ProtectedOperations next = new ProtectedOperations(Rig.CONFIG, rig.meters, rig.clock)) {
            next.execute(NAME, () -> 1);
            assertThat(rig.counted("successful")).isEqualTo(1);
            assertThat(rig.retried("successful_without_retry")).isEqualTo(1);
            assertThat(rig.is("closed")).isTrue();
        }
    }

    /** One call whose tries fail with these, and then do not. */
    private void call(RuntimeException... failures) {
        Iterator<RuntimeException> next = List.of(failures).iterator();
        Throwable unused = catchThrowable(() -> rig.operations.executeRunnable(NAME, () -> {
            if (next.hasNext()) {
                throw next.next();
            }
        }));
    }

    private List<String> messages() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
