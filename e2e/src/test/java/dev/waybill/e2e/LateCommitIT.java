package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.store.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Promise 7 on a real database: a commit that comes late is never skipped, whatever its sequence. */
class LateCommitIT {

    @Test
    void aTransactionHeldOpenWhileTenThousandLaterEventsPassIsDeliveredSoonAfterItsCommit() throws Exception {
        Arrivals arrivals = new Arrivals();
        try (Postgres postgres = new Postgres();
                HikariDataSource pool = postgres.pool(4);
                Relay relay = Relay.builder(Postgres.store(postgres.pool(2)))
                        .route("orders", arrivals)
                        .build()
                        .start();
                Connection held = pool.getConnection()) {
            JdbcOutbox outbox = Postgres.outbox(Postgres.store(pool));
            outbox.afterCommit(relay::wakeUp);
            held.setAutoCommit(false);
            outbox.on(held).publish(event("held", "late"));
            for (int batch = 0; batch < 100; batch++) {
                List<Event> events = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    events.add(event("k" + i, "" + batch));
                }
                outbox.inTransaction(pool, transaction -> transaction.publishAll(events));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> arrivals.count() == 10_000);
            assertThat(arrivals.of("held")).isEmpty();

            held.commit();
            // One poll and a second; nobody signals, as the connection is the caller's own.
            await().atMost(Duration.ofSeconds(2))
                    .until(() -> !arrivals.of("held").isEmpty());
            await().until(() -> postgres.pending() == 0);
            assertThat(arrivals.count()).isEqualTo(10_001);
        }
    }

    private static Event event(String key, String text) {
        return Event.to("orders").key(key).type("order").json(text).build();
    }
}
