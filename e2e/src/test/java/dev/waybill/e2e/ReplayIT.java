package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.audit.Signature;
import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.replay.Replay;
import dev.waybill.replay.ReplayFilter;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replay on a real database: its rate, its order, its header, and a relay that dies in the middle of it. */
class ReplayIT {
    private static final Logger log = LoggerFactory.getLogger(ReplayIT.class);
    private static final int ENTRIES = 50_000;
    private static final int KEYS = 100;
    private static final int PER_SECOND = 5_000;
    private static final Duration MARGIN = Duration.ofSeconds(7);

    @Test
    void aReplayKeepsItsRateAndItsOrderAndGoesOnWhenItsRelayDies() throws Exception {
        Arrivals live = new Arrivals();
        Arrivals replayed = new Arrivals();
        try (Postgres postgres = new Postgres();
                HikariDataSource pool = postgres.pool(4)) {
            JdbcOutboxStore store = Postgres.store(postgres.pool(4));
            JdbcOutbox outbox = Postgres.outbox(Postgres.store(pool));
            Instant from = Instant.now().minusSeconds(60);
            try (Relay relay = relay(store, live)) {
                outbox.afterCommit(relay::wakeUp);
                publishAll(outbox, pool);
                await().atMost(Duration.ofMinutes(2)).until(() -> postgres.pending() == 0);
                assertThat(live.replays()).containsExactly(0);
            }
            // Deliveries of the last seconds are replayed a little later, which is no matter of the rate.
            Instant complete = Instant.now().plus(MARGIN);
            await().until(() -> Instant.now().isAfter(complete));
            ReplayFilter all = ReplayFilter.between(from, Instant.now());
            assertThat(store.replays().count(all)).isEqualTo(ENTRIES);

            long started = System.nanoTime();
            Replay first = start(store, all);
            try (Relay relay = relay(store, replayed)) {
                Replay done = finish(store, first);
                await().atMost(Duration.ofMinutes(1)).until(() -> postgres.pending() == 0);
                double seconds = replayed.lastAfter(started).toMillis() / 1000.0;
                log.info("Replayed {} entries in {} s", done.replayed(), seconds);
                assertThat(done.replayed()).isEqualTo(ENTRIES);
                // Not faster than asked for, whatever the machine does: a replay saves up one second at most.
                assertThat(seconds).isGreaterThanOrEqualTo((double) ENTRIES / PER_SECOND - 1);
                assertThat(relay.status().deadLetters()).isZero();
            }
            assertThat(replayed.replays()).containsExactly(first.generation());
            assertWhole(replayed);

            Arrivals again = new Arrivals();
            Replay second = start(store, all);
            Relay victim = relay(store, again);
            await().atMost(Duration.ofMinutes(1)).until(() -> again.count() > ENTRIES / 4);
            victim.kill();
            long before =
                    store.replays().find(second.generation()).orElseThrow().replayed();
            assertThat(before).isBetween(1L, ENTRIES - 1L);
            try (Relay successor = relay(store, again)) {
                assertThat(finish(store, second).replayed())
                        .as("nothing twice, nothing skipped, copies of the first replay left out")
                        .isEqualTo(ENTRIES);
                await().atMost(Duration.ofMinutes(1)).until(() -> postgres.pending() == 0);
                assertThat(successor.status().deadLetters()).isZero();
            }
            assertWhole(again);
        }
    }

    private static Relay relay(JdbcOutboxStore store, Arrivals arrivals) {
        return Relay.builder(store)
                .route("orders", arrivals)
                .config(RelayConfig.defaults().withLease(Duration.ofSeconds(6)))
                .build()
                .start();
    }

    private static Replay start(JdbcOutboxStore store, ReplayFilter filter) {
        return store.replays().start(UUID.randomUUID(), filter, PER_SECOND, Signature.of("tester", "to see it again"));
    }

    private static Replay finish(JdbcOutboxStore store, Replay replay) {
        return await().atMost(Duration.ofMinutes(2))
                .until(
                        () -> store.replays().find(replay.generation()).orElseThrow(),
                        now -> now.state() == Replay.State.DONE);
    }

    /** Every entry of every key, in order; twice at most where a relay died. */
    private static void assertWhole(Arrivals arrivals) {
        for (int key = 0; key < KEYS; key++) {
            int number = key;
            List<String> expected = IntStream.range(0, ENTRIES)
                    .filter(i -> i % KEYS == number)
                    .mapToObj(Integer::toString)
                    .toList();
            assertThat(arrivals.firstsOf("k" + key).equals(expected))
                    .as("all of k" + key + ", in order")
                    .isTrue();
        }
    }

    private static void publishAll(JdbcOutbox outbox, HikariDataSource pool) {
        for (int from = 0; from < ENTRIES; from += 1000) {
            List<Event> events = new ArrayList<>();
            for (int i = from; i < from + 1000; i++) {
                events.add(Event.to("orders")
                        .key("k" + i % KEYS)
                        .type("order")
                        .json("" + i)
                        .build());
            }
            outbox.inTransaction(pool, transaction -> transaction.publishAll(events));
        }
    }
}
