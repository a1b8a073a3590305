package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.e2e.CrashingApplication.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Spring Boot application is killed between commit and delivery, and elsewhere, again and again, under load. */
class ApplicationCrashIT {
    private static final Logger log = LoggerFactory.getLogger(ApplicationCrashIT.class);
    private static final int KILLS = 8;
    private static final int ORDERS_BETWEEN = 100;
    private static final Step[] STEPS = {
        Step.BEFORE_DELIVERY, Step.BEFORE_ACKNOWLEDGEMENT, Step.IN_HANDLER, Step.IN_TRANSACTION
    };

    @Test
    void nothingIsLostAndNothingThatWasRolledBackIsDelivered() throws Exception {
        try (Postgres postgres = new Postgres()) {
            for (String table : List.of("shop_order_ledger", "shop_order_stock", "arrival", "effect")) {
                postgres.execute("CREATE TABLE " + table
                        + " (n bigint GENERATED ALWAYS AS IDENTITY, event uuid, event_key text)");
            }
            long undelivered = 0;
            for (int i = 0; i < KILLS; i++) {
                Step step = STEPS[i % STEPS.length];
                try (ChildProcess application =
                        new ChildProcess(CrashingApplication.class, postgres.url(), step.name())) {
                    application.awaitLine("AT " + step);
                    long before = orders(postgres);
                    await().atMost(Duration.ofSeconds(30)).until(() -> orders(postgres) > before + ORDERS_BETWEEN);
                    application.kill();
                }
                undelivered += postgres.pending();
            }
            assertThat(undelivered)
                    .as("committed, and not delivered when it was killed")
                    .isPositive();
            try (ChildProcess survivor = new ChildProcess(CrashingApplication.class, postgres.url(), "NONE")) {
                survivor.awaitLine("STARTED");
                await().atMost(Duration.ofMinutes(2)).until(() -> isDone(postgres));
                assertExact(postgres, undelivered);
            }
        }
    }

    private static long orders(Postgres postgres) {
        return postgres.count("SELECT count(*) FROM shop_order_ledger");
    }

    private static boolean isDone(Postgres postgres) {
        return postgres.pending() == 0 && postgres.count("SELECT count(*) FROM waybill_inbox_outbox") == 0;
    }

    private static void assertExact(Postgres postgres, long undelivered) {
        long lost = missing(postgres, "shop_order_ledger", "arrival") + missing(postgres, "shop_order_stock", "effect");
        long ghosts =
                missing(postgres, "arrival", "shop_order_ledger") + missing(postgres, "effect", "shop_order_stock");
        long doubled = postgres.count("SELECT count(*) - count(DISTINCT event) FROM effect");
        long overtaken =
                overtaken(postgres, "shop_order_ledger", "arrival") + overtaken(postgres, "shop_order_stock", "effect");
        long dead = postgres.count("SELECT count(*) FROM waybill_dead_letter")
                + postgres.count("SELECT count(*) FROM waybill_inbox_dead_letter");
        log.info(
                "{} kills, {} orders, {} events undelivered at a kill: lost {}, ghosts {}, effects doubled {}, out of order {}, dead {}",
                KILLS,
                orders(postgres),
                undelivered,
                lost,
                ghosts,
                doubled,
                overtaken,
                dead);
        assertThat(lost).isZero();
        assertThat(ghosts).isZero();
        assertThat(doubled).isZero();
        assertThat(overtaken).isZero();
        assertThat(dead).isZero();
    }

    private static long missing(Postgres postgres, String here, String there) {
        return postgres.count("SELECT count(*) FROM " + here + " a WHERE NOT EXISTS (SELECT 1 FROM " + there
                + " b WHERE b.event = a.event)");
    }

    /** Of several arrivals of an event the first counts. */
    private static long overtaken(Postgres postgres, String orders, String arrivals) {
        return postgres.count("""
                SELECT count(*) FROM (
                    SELECT o.n, lag(o.n) OVER (PARTITION BY o.event_key ORDER BY a.n) AS before
                    FROM (SELECT event, min(n) AS n FROM %s GROUP BY event) AS a JOIN %s o ON o.event = a.event
                ) AS pairs WHERE before > n
                """.formatted(arrivals, orders));
    }
}
