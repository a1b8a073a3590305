package dev.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.relay.RelayConfig;
import dev.waybill.relay.Route;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.jdbc.JdbcOutbox;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryResult;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RelayProcessTest {
    private static final Pools.Target TARGET = new Pools.Target("jdbc:h2:mem:relay;DB_CLOSE_DELAY=-1", "sa", "");
    private static final JdbcStoreConfig STORE = JdbcStoreConfig.defaults().withTablePrefix("x_");

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void itDeliversWhatOthersCommitAndSettlesWhenToldToStop() {
        RelayConfig config = RelayConfig.defaults().withPollInterval(Duration.ofMillis(50));
        PrintStream out = new PrintStream(written, true, UTF_8);
        UUID id;
        try (RelayProcess relay = RelayProcess.open(
                TARGET,
                STORE,
                config,
                Map.of("orders", Route.to(new LogTransport(out))),
                new CompositeMeterRegistry())) {
            CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(relay::run);
            id = publish();
            await().untilAsserted(() -> assertThat(lines()).hasSize(1));
            relay.stop();
            assertThat(exitCode).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(0);
        }
        assertThat(lines())
                .containsExactly("delivered " + id + " order.placed orders key=customer-1 sequence=1 attempt=1");
    }

    @Test
    void aKeyWithALineBreakIsStillOneLine() {
        Event event =
                Event.to("orders").type("t").key("a\nb").json("{\"secret\":1}").build();
        assertThat(LogTransport.line(new Delivery(event, 7, 2, 0, 1)))
                .endsWith("key=a\\nb sequence=7 attempt=2")
                .doesNotContain("secret");
    }

    @Test
    void whenNobodyReadsItsOutputNothingCountsAsDelivered() {
        LogTransport transport = new LogTransport(new PrintStream(new BrokenPipe(), true, UTF_8));
        List<DeliveryResult> results = new ArrayList<>();
        Delivery delivery = new Delivery(Event.to("orders").type("t").build(), 1, 1, 0, 1);
        transport.send(List.of(delivery), (sent, result) -> results.add(result));
        assertThat(results)
                .hasOnlyElementsOfType(DeliveryResult.Unavailable.class)
                .hasSize(1);
    }

    private List<String> lines() {
        return written.toString(UTF_8).lines().toList();
    }

    private static UUID publish() {
        try (HikariDataSource pool = Pools.open(TARGET, "test", 1)) {
            JdbcOutboxStore store = JdbcOutboxStore.create(pool, STORE);
            store.migrate();
            return new JdbcOutbox(store, OutboxConfig.defaults())
                    .inTransaction(
                            pool,
                            transaction -> transaction.publish(Event.to("orders")
                                    .type("order.placed")
                                    .key("customer-1")
                                    .build()));
        }
    }

    private static final class BrokenPipe extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
        }
    }
}
