package dev.waybill.e2e;

import static dev.waybill.testkit.store.StoreFixture.TESTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.Parked;
import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.store.OrderKey;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.transport.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promises 3 and 6 on a real database, with a poison key that has a hundred thousand entries behind it. */
class ParkedKeyIT {
    private static final int WAITING = 100_000;
    private static final int LATER = 2_000;

    @Test
    void aParkedKeyWithAHundredThousandEntriesIsReleasedInOrderWhileNewerOnesArrive() throws Exception {
        Arrivals arrivals = new Arrivals();
        arrivals.refuse(delivery -> "poison".equals(delivery.event().key()) ? DeliveryResult.rejected("poison") : null);
        try (Postgres postgres = new Postgres();
                HikariDataSource pool = postgres.pool(4)) {
            JdbcOutboxStore store = Postgres.store(postgres.pool(2));
            JdbcOutbox outbox = Postgres.outbox(Postgres.store(pool));
            for (int from = 0; from < WAITING; from += 1000) {
                publish(outbox, pool, from, from + 1000);
            }
            try (Relay relay =
                    Relay.builder(store).route("orders", arrivals).build().start()) {
                outbox.afterCommit(relay::wakeUp);
                await().atMost(Duration.ofMinutes(2)).until(() -> postgres.pending() == 0);
                outbox.inTransaction(pool, transaction -> transaction.publish(event("healthy", "h")));
                await().until(() -> arrivals.count() == 1);
                List<Parked> parked = store.deadLetters().parked(10);
                assertThat(parked).hasSize(1);
                assertThat(parked.get(0).waiting()).isEqualTo(WAITING - 1);

                arrivals.refuse(null);
                assertThat(store.deadLetters().release(new OrderKey("orders", "poison"), TESTER))
                        .isTrue();
                for (int from = WAITING; from < WAITING + LATER; from += 20) {
                    publish(outbox, pool, from, from + 20);
                }
                await().atMost(Duration.ofMinutes(3))
                        .until(() -> arrivals.count() >= WAITING + LATER + 1 && postgres.pending() == 0);
            }
        }
        List<String> expected =
                IntStream.range(0, WAITING + LATER).mapToObj(Integer::toString).toList();
        assertThat(arrivals.of("poison").equals(expected))
                .as("all of the key, once, in order")
                .isTrue();
    }

    private static void publish(JdbcOutbox outbox, HikariDataSource pool, int from, int to) {
        List<Event> events = new ArrayList<>();
        for (int i = from; i < to; i++) {
            events.add(event("poison", "" + i));
        }
        outbox.inTransaction(pool, transaction -> transaction.publishAll(events));
    }

    private static Event event(String key, String text) {
        return Event.to("orders").key(key).type("order").json(text).build();
    }
}
