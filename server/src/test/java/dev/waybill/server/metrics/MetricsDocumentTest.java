package dev.waybill.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxConfig;
import dev.waybill.outbox.TransactionalOutbox;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayConfig;
import dev.waybill.server.cli.Pools;
import dev.waybill.store.jdbc.JdbcOutboxStore;
import dev.waybill.store.jdbc.JdbcStoreConfig;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/metrics.md against the meters that a real run registers. */
class MetricsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");
    private static final Pattern ROW =
            Pattern.compile("\\| `(outbox[^`]+)` \\| (\\w+) \\| ([^|]*) ?\\| `([^`]+)` \\|.*");
    private static final Pattern USED = Pattern.compile("outbox_\\w+");

    /** A meter, whatever its figures. */
    record Row(String name, String type, Set<String> tags) {}

    @Test
    void everyMeterIsDocumentedAndEveryDocumentedOneExists() throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Set<Row> registered = new HashSet<>();
        AtomicReference<String> scrape = new AtomicReference<>("");
        run(registry, () -> {
            registry.getMeters().forEach(meter -> registered.add(row(meter)));
            scrape.set(registry.scrape());
        });
        assertThat(documented().map(MetricsDocumentTest::row).collect(Collectors.toSet()))
                .isNotEmpty()
                .isEqualTo(registered);
        assertThat(documented().map(row -> row.group(4)))
                .allSatisfy(name -> assertThat(scrape.get()).containsPattern("\n" + name + "(_count)?[{ ]"));
    }

    @Test
    void alertsUseOnlyWhatIsInTheTable() throws IOException {
        Set<String> known = documented().map(row -> row.group(4)).collect(Collectors.toSet());
        String text = Files.readString(DOCUMENT);
        String alerts = text.substring(text.indexOf("## Alerts"));
        assertThat(USED.matcher(alerts).results().map(found -> found.group()))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(known)
                        .anyMatch(one -> name.equals(one) || name.equals(one + "_sum") || name.equals(one + "_count")));
    }

    /** Publishes, delivers and samples the backlog; looks before the relay stops, because some meters go with it. */
    private static void run(MeterRegistry registry, Runnable look) throws SQLException {
        Pools.Target target = new Pools.Target("jdbc:h2:mem:meters;DB_CLOSE_DELAY=-1", "sa", "");
        try (HikariDataSource pool = Pools.open(target, "meters", 4)) {
            JdbcOutboxStore store = JdbcOutboxStore.create(pool, JdbcStoreConfig.defaults());
            store.migrate();
            publish(pool, new TransactionalOutbox<>(store, OutboxConfig.defaults(), registry));
            Relay.Builder relay = Relay.builder(store)
                    .route("orders", new Delivering())
                    .config(RelayConfig.defaults().withPollInterval(Duration.ofMillis(50)))
                    .metrics(registry);
            try (Relay running = relay.build().start()) {
                await().until(() -> running.status().delivered() == 1
                        && registry.find("outbox.entries.pending").gauge() != null);
                look.run();
            }
        }
    }

    private static void publish(HikariDataSource pool, TransactionalOutbox<Connection> outbox) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Outbox here = outbox.on(connection);
            here.publish(Event.to("orders").type("order.placed").build());
            // Nobody delivers it, so that there is a backlog to be seen.
            here.publish(Event.to("nowhere").type("order.placed").build());
            connection.commit();
        }
    }

    private static Stream<Matcher> documented() throws IOException {
        return Files.readAllLines(DOCUMENT).stream().map(ROW::matcher).filter(Matcher::matches);
    }

    private static Row row(Matcher row) {
        Set<String> tags = Arrays.stream(row.group(3).split(","))
                .map(String::strip)
                .filter(tag -> !tag.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        return new Row(row.group(1), row.group(2), tags);
    }

    private static Row row(Meter meter) {
        Set<String> tags =
                meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new));
        return new Row(meter.getId().getName(), meter.getId().getType().name().toLowerCase(Locale.ROOT), tags);
    }

    private static final class Delivering implements Transport {
        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            batch.forEach(delivery -> listener.onResult(delivery, DeliveryResult.delivered()));
        }

        @Override
        public void close() {}
    }
}
