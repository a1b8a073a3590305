package dev.waybill.store.jdbc;

import dev.waybill.event.Event;
import dev.waybill.store.Entry;
import dev.waybill.store.Lease;
import dev.waybill.store.Outcome;
import dev.waybill.store.ScanCursor;
import dev.waybill.store.Shards;
import java.sql.Connection;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * How long settles wait while old days are dropped: a program, not a test. It drops a million deliveries of three days on
 * PostgreSQL 18 with fsync on, and prints the longest settles before, during and after.
 *
 * <p>Run it with the class path of the tests, in the folder of this module.
 */
public final class RetentionMeasurement {
    private static final int ROWS = 1_000_000;
    private static final int DAYS = 3;
    private static final int BATCH = 100;
    private static final Duration QUIET = Duration.ofSeconds(15);
    private static final UUID RELAY = UUID.randomUUID();

    private RetentionMeasurement() {}

    public static void main(String[] arguments) throws Exception {
        DataSource database = EmbeddedDatabases.postgres18();
        JdbcOutboxStore store = JdbcOutboxStore.create(database, JdbcStoreConfig.defaults());
        store.migrate();
        fill(database);
        List<Long> settles = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Void> relay = CompletableFuture.runAsync(() -> relay(database, store, settles, end));

        pass(QUIET);
        report("warm-up", settles);
        pass(QUIET);
        report("without a drop", settles);
        long start = System.nanoTime();
        int calls = 0;
        int dropped = 0;
        while (dropped < DAYS) {
            dropped += store.clean();
            calls++;
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        report("during the drop of " + dropped + " days, " + calls + " calls in " + took.toMillis() + " ms", settles);
        pass(QUIET);
        report("after it", settles);
        end.complete(null);
        relay.join();
        System.exit(0);
    }

    private static void fill(DataSource database) {
        for (int day = 2; day < 2 + DAYS; day++) {
            LocalDate date = LocalDate.now(ZoneOffset.UTC).minusDays(day);
            String name = "waybill_history_" + DateTimeFormatter.BASIC_ISO_DATE.format(date);
            Sql.execute(
                    database,
                    "CREATE TABLE %s PARTITION OF waybill_history FOR VALUES FROM ('%s 00:00+00') TO ('%s 00:00+00')"
                            .formatted(name, date, date.plusDays(1)));
            Sql.execute(database, """
                    INSERT INTO waybill_history (seq, shard, id, destination, event_key, type, version, content_type,
                        payload, occurred_at, attempts, delivered_at)
                    SELECT g, g %% 64, gen_random_uuid(), 'orders', 'k-' || g, 'T', 1, 'x',
                        convert_to(repeat('x', 200), 'UTF8'), now(), 0,
                        '%s 00:00+00'::timestamptz + g * interval '100 milliseconds'
                    FROM generate_series(1, %d) g
                    """.formatted(date, ROWS / DAYS));
        }
        Sql.execute(database, "CHECKPOINT");
    }

    /** Publishes and settles without a break, and notes how long each settle takes. */
    private static void relay(
            DataSource database, JdbcOutboxStore store, List<Long> settles, CompletableFuture<Void> end) {
        store.take(RELAY, Shards.COUNT, Duration.ofHours(1));
        List<Lease> leases = store.renew(RELAY, Duration.ofHours(1)).leases();
        List<ScanCursor> cursors = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new ScanCursor(shard, 0, 0, BATCH, Long.MAX_VALUE, Set.of()))
                .toList();
        while (!end.isDone()) {
            publish(database, store);
            List<Outcome> outcomes = new ArrayList<>();
            store.scan(RELAY, cursors).pages().forEach(page -> {
                for (Entry entry : page.entries()) {
                    outcomes.add(new Outcome.Delivered(entry.shard(), entry.sequence()));
                }
            });
            long start = System.nanoTime();
            store.settle(RELAY, leases, outcomes);
            settles.add(System.nanoTime() - start);
        }
    }

    private static void publish(DataSource database, JdbcOutboxStore store) {
        Sql.unchecked(() -> {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                List<Event> events = IntStream.range(0, BATCH)
                        .mapToObj(
                                i -> Event.to("orders").key("k-" + i).type("T").build())
                        .toList();
                store.append(connection, events, Set.of());
                connection.commit();
                return true;
            }
        });
    }

    private static void pass(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
    }

    private static void report(String phase, List<Long> settles) {
        List<Long> sorted = new ArrayList<>(settles);
        settles.clear();
        if (sorted.isEmpty()) {
            System.out.println("RESULT " + phase + ": no settle");
            return;
        }
        Collections.sort(sorted);
        System.out.printf(
                "RESULT %s: %d settles of %d, median %.1f ms, 99 %% %.1f ms, longest %.1f ms%n",
                phase,
                sorted.size(),
                BATCH,
                sorted.get(sorted.size() / 2) / 1e6,
                sorted.get(sorted.size() * 99 / 100) / 1e6,
                sorted.get(sorted.size() - 1) / 1e6);
    }
}
