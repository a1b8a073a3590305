package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.store.jdbc.JdbcOutbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Promises 3, 5 and 9 with real processes: one is frozen in the middle of a settle, for longer than its lease. */
class FrozenRelayIT {
    private static final int KEYS = 40;
    private static final int EVENTS = 10;
    private static final String ALL = "SELECT seq FROM waybill_outbox ORDER BY seq";
    private static final String TRIED_KEYS = "SELECT count(DISTINCT event_key) FROM waybill_outbox WHERE attempts = 1";

    @Test
    void aRelayFrozenPastItsLeaseChangesNothingWhenItWakesUp() throws Exception {
        try (Postgres postgres = new Postgres();
                HikariDataSource pool = postgres.pool(2)) {
            postgres.execute(
                    "CREATE TABLE arrival (n bigint GENERATED ALWAYS AS IDENTITY, event_key text, seq bigint)");
            try (Child frozen = new Child(postgres.url(), "freeze");
                    Child successor = new Child(postgres.url(), "retry")) {
                frozen.awaitLine("OWNS 32");
                successor.awaitLine("OWNS 32");
                publish(Postgres.outbox(Postgres.store(pool)), pool);
                frozen.awaitLine("SETTLING");
                frozen.signal("STOP");
                Instant stopped = Instant.now();
                successor.awaitLine("OWNS 64");
                Duration takeover = Duration.between(stopped, Instant.now());
                assertThat(takeover).isLessThan(FreezableRelay.LEASE.plusSeconds(1 + 2));

                await().until(() -> postgres.count(TRIED_KEYS) == KEYS);
                List<Long> before = postgres.column(ALL);
                assertThat(before)
                        .as("the frozen relay delivered, and settled nothing")
                        .hasSize(KEYS * EVENTS);
                frozen.signal("CONT");
                int lost = Integer.parseInt(frozen.awaitLine("SETTLED").substring("SETTLED ".length()));
                assertThat(lost).isPositive();
                assertThat(postgres.column(ALL)).isEqualTo(before);

                await().atMost(Duration.ofSeconds(60)).until(() -> postgres.pending() == 0);
            }
            assertOrder(postgres);
        }
    }

    private static void publish(JdbcOutbox outbox, HikariDataSource pool) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            for (int key = 0; key < KEYS; key++) {
                String type = i == 0 ? "head" : "order";
                events.add(Event.to("orders").key("k" + key).type(type).build());
            }
        }
        outbox.inTransaction(pool, transaction -> transaction.publishAll(events));
    }

    /** First arrivals of each key come by sequence, as all were published in one transaction; none is missing. */
    private static void assertOrder(Postgres postgres) {
        for (int key = 0; key < KEYS; key++) {
            List<Long> firsts = postgres.column(
                    "SELECT seq FROM arrival WHERE event_key = 'k" + key + "' GROUP BY seq ORDER BY min(n)");
            assertThat(firsts).hasSize(EVENTS).isSorted();
        }
    }

    /** A relay in a process of its own. */
    private static final class Child implements AutoCloseable {
        private final Process process;
        private final List<String> lines = new CopyOnWriteArrayList<>();

        Child(String url, String mode) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            FreezableRelay.class.getName(),
                            url,
                            mode)
                    .redirectError(Redirect.INHERIT)
                    .start();
            Thread reader = new Thread(this::read, "child-" + mode);
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                output.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                lines.add("CLOSED " + e);
            }
        }

        String awaitLine(String start) {
            await().atMost(Duration.ofSeconds(30)).until(() -> !find(start).isEmpty());
            return find(start);
        }

        private String find(String start) {
            return lines.stream()
                    .filter(line -> line.startsWith(start))
                    .findFirst()
                    .orElse("");
        }

        void signal(String name) throws IOException, InterruptedException {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .redirectErrorStream(true)
                    .start();
            assertThat(kill.waitFor()).isZero();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
