package dev.waybill.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.testkit.transport.RecordingTransport;
import dev.waybill.transport.Delivery;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The statement of docs/migrate-from-polling.md, which moves what is pending. */
class MigrationGuideIT {
    private static Postgres postgres;

    @BeforeAll
    static void start() throws IOException {
        postgres = new Postgres();
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    /** The table of a hand-written outbox, as it is found everywhere. */
    @BeforeEach
    void createTheOldTable() {
        postgres.execute("DROP TABLE IF EXISTS outbox_event");
        postgres.execute("TRUNCATE waybill_outbox");
        postgres.execute("""
                CREATE TABLE outbox_event (
                    event_id uuid PRIMARY KEY, aggregate_type varchar(64) NOT NULL, aggregate_id uuid NOT NULL,
                    event_type varchar(64) NOT NULL, payload jsonb NOT NULL, headers jsonb NOT NULL DEFAULT '{}'::jsonb,
                    sequence bigint NOT NULL DEFAULT 0, status varchar(16) NOT NULL DEFAULT 'PENDING',
                    attempts int NOT NULL DEFAULT 0, available_at timestamptz NOT NULL DEFAULT now(),
                    occurred_at timestamptz NOT NULL DEFAULT now())
                """);
    }

    @Test
    void whatIsPendingIsMovedOnceAndDeliveredInOrder() throws Exception {
        UUID order = UUID.randomUUID();
        IntStream.range(0, 50).forEach(n -> insert(order, "PENDING", n));
        IntStream.range(0, 50).forEach(n -> insert(UUID.randomUUID(), "PENDING", n));
        insert(order, "SENT", 1000);
        insert(order, "FAILED", 1001);

        run(move());
        run(move());

        assertThat(postgres.pending()).isEqualTo(100);
        assertThat(postgres.count("SELECT count(*) FROM outbox_event WHERE status = 'PENDING'"))
                .isZero();
        assertThat(postgres.count("SELECT count(*) FROM outbox_event WHERE status IN ('SENT', 'FAILED')"))
                .isEqualTo(2);
        List<Event> delivered = deliver(100);
        assertThat(delivered).allSatisfy(event -> {
            assertThat(event.type()).isEqualTo("OrderPlaced");
            assertThat(event.headers()).containsEntry("tenant", "a");
        });
        assertThat(delivered.stream()
                        .filter(event -> order.toString().equals(event.key()))
                        .map(event -> event.payload().utf8()))
                .containsExactlyElementsOf(IntStream.range(0, 50)
                        .mapToObj(n -> "{\"n\": " + n + "}")
                        .toList());
    }

    /** What its publisher sends while the statement waits for it is not sent again. */
    @Test
    void aPublisherInTheMiddleOfABatchIsWaitedFor() throws Exception {
        IntStream.range(0, 10).forEach(n -> insert(UUID.randomUUID(), "PENDING", n));
        CompletableFuture<Void> moving;
        try (Connection publisher = postgres.pool(1).getConnection();
                Statement statement = publisher.createStatement()) {
            publisher.setAutoCommit(false);
            statement.execute("SELECT * FROM outbox_event WHERE sequence < 4 FOR UPDATE SKIP LOCKED");
            moving = CompletableFuture.runAsync(() -> run(move()));
            await().until(() -> postgres.count("SELECT count(*) FROM pg_locks WHERE NOT granted") == 1);
            statement.execute("UPDATE outbox_event SET status = 'SENT' WHERE sequence < 4");
            publisher.commit();
        }
        moving.get();
        assertThat(postgres.pending()).isEqualTo(6);
        assertThat(deliver(6)).hasSize(6);
    }

    private static void insert(UUID order, String status, int n) {
        postgres.execute("""
                INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload, headers, sequence, status,
                                          occurred_at)
                VALUES (gen_random_uuid(), 'Order', '%s', 'OrderPlaced', '{"n": %d}', '{"tenant": "a"}', %d, '%s',
                        '2026-01-01T00:00:00Z')
                """.formatted(order, n, n, status));
    }

    private static List<Event> deliver(int count) {
        RecordingTransport arrivals = new RecordingTransport();
        try (Relay relay = Relay.builder(Postgres.store(postgres.pool(3)))
                .route("orders", arrivals)
                .build()
                .start()) {
            relay.wakeUp();
            await().until(() -> arrivals.arrived().size() >= count && postgres.pending() == 0);
        }
        return arrivals.arrived().stream().map(Delivery::event).toList();
    }

    private static String move() {
        try {
            String page = Documents.read("docs/migrate-from-polling.md");
            int start = page.indexOf("```sql\n", page.indexOf("<!-- move -->")) + "```sql\n".length();
            return page.substring(start, page.indexOf("```", start));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void run(String script) {
        try (Connection connection = postgres.pool(1).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(script);
        } catch (SQLException e) {
            throw new IllegalStateException(script, e);
        }
    }
}
