package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.store.jdbc.JdbcOutbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
            try (ChildProcess frozen = new ChildProcess(FreezableRelay.class, postgres.url(), "freeze");
                    ChildProcess successor = new ChildProcess(FreezableRelay.class, postgres.url(), "retry")) {
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
}
