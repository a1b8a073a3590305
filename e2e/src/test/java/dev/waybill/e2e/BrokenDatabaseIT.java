package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.store.jdbc.JdbcOutbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promises 1 and 3 while the database drops all connections of the relays again and again, whatever they do. */
class BrokenDatabaseIT {
    private static final int KEYS = 50;
    private static final int ROUNDS = 40;

    @Test
    void relaysWhoseConnectionsAreCutLoseNothingAndKeepOrder() throws Exception {
        Arrivals arrivals = new Arrivals();
        try (Postgres postgres = new Postgres();
                HikariDataSource pool = postgres.pool(2);
                Relay first = relay(postgres, arrivals);
                Relay second = relay(postgres, arrivals)) {
            JdbcOutbox outbox = Postgres.outbox(Postgres.store(pool));
            outbox.afterCommit(first::wakeUp);
            outbox.afterCommit(second::wakeUp);
            for (int round = 0; round < ROUNDS; round++) {
                int number = round;
                List<Event> events = new ArrayList<>();
                IntStream.range(0, KEYS)
                        .forEach(key -> events.add(Event.to("orders")
                                .key("k" + key)
                                .type("order")
                                .json("" + number)
                                .build()));
                outbox.inTransaction(pool, transaction -> transaction.publishAll(events));
                if (round % 4 == 0) {
                    postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE pid <> pg_backend_pid() AND query LIKE '%waybill_%'"
                            + " AND query NOT LIKE '%INSERT INTO waybill_outbox%'");
                }
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> postgres.pending() == 0);
        }
        List<String> expected =
                IntStream.range(0, ROUNDS).mapToObj(Integer::toString).toList();
        for (int key = 0; key < KEYS; key++) {
            assertThat(arrivals.firstsOf("k" + key)).isEqualTo(expected);
        }
    }

    private static Relay relay(Postgres postgres, Arrivals arrivals) {
        return Relay.builder(Postgres.store(postgres.pool(2)))
                .route("orders", arrivals)
                .config(RelayConfig.defaults().withLease(Duration.ofSeconds(2)))
                .build()
                .start();
    }
}
