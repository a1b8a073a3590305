package dev.waybill.examples.shop.demo;

import dev.waybill.examples.shop.demo.Snapshot.Backlog;
import dev.waybill.operations.Statistics;
import dev.waybill.operations.Statistics.OfDestination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Asks the databases what has not arrived: in the outboxes, and in what consumers put aside. Thread-safe. */
final class Backlogs {
    private static final List<String> TABLES = List.of("waybill_outbox", "waybill_inbox_outbox");

    private final List<Service> services;

    Backlogs(List<Service> services) {
        this.services = services;
    }

    /** By cheap queries, for the view. The age is by this machine's clock, which is where the events come from. */
    Backlog now() {
        String select = TABLES.stream()
                .map(table -> "SELECT COUNT(*), MIN(occurred_at) FROM " + table)
                .collect(Collectors.joining(" UNION ALL "));
        long pending = 0;
        Instant now = Instant.now();
        Instant oldest = now;
        for (Service service : services) {
            try (Connection connection = service.unit().connections().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(select)) {
                while (rows.next()) {
                    pending += rows.getLong(1);
                    OffsetDateTime first = rows.getObject(2, OffsetDateTime.class);
                    if (first != null && first.toInstant().isBefore(oldest)) {
                        oldest = first.toInstant();
                    }
                }
            } catch (SQLException e) {
                throw new IllegalStateException("The backlog could not be read: " + e.getMessage(), e);
            }
        }
        return new Backlog(pending, Duration.between(oldest, now));
    }

    /** All that waits, also behind dead letters. */
    long waiting() {
        return statistics()
                        .flatMap(all -> all.destinations().stream())
                        .mapToLong(OfDestination::waiting)
                        .sum()
                + now().pending();
    }

    /** Dead letters that nobody has decided about. */
    long deadLetters() {
        return statistics().mapToLong(Statistics::dead).sum();
    }

    private Stream<Statistics> statistics() {
        return services.stream()
                .flatMap(service -> Stream.of(service.unit().store(), service.siding()))
                .map(store -> store.operations().statistics());
    }
}
