package dev.waybill.store.jdbc;

import dev.waybill.deadletter.DeadLetterFilter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** A filter as SQL, but for the state: more conditions on the dead letters {@code d}, and what they are compared with. */
record DeadLetterQuery(String conditions, List<Object> parameters) {

    static DeadLetterQuery of(DeadLetterFilter filter) {
        StringBuilder sql = new StringBuilder();
        List<Object> parameters = new ArrayList<>();
        if (filter.destination() != null) {
            sql.append(" AND d.destination = ?");
            parameters.add(filter.destination());
        }
        if (filter.key() != null) {
            sql.append(" AND d.event_key = ?");
            parameters.add(filter.key());
        }
        if (filter.type() != null) {
            sql.append(" AND d.type = ?");
            parameters.add(filter.type());
        }
        if (filter.reason() != null) {
            sql.append(" AND LOWER(d.last_error) LIKE LOWER(?) ESCAPE '!'");
            parameters.add("%" + escaped(filter.reason()) + "%");
        }
        if (filter.from() != null) {
            sql.append(" AND d.died_at >= ?");
            parameters.add(ceiling(filter.from()));
        }
        if (filter.to() != null) {
            sql.append(" AND d.died_at < ?");
            parameters.add(ceiling(filter.to()));
        }
        return new DeadLetterQuery(sql.toString(), parameters);
    }

    private static String escaped(String text) {
        String storable = StoredText.storable(text);
        return storable.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }

    /** The first microsecond, the resolution of databases, that is not before a time. */
    private static Instant ceiling(Instant time) {
        Instant floor = time.truncatedTo(ChronoUnit.MICROS);
        return floor.equals(time) ? time : floor.plus(1, ChronoUnit.MICROS);
    }

    Object[] with(Object... more) {
        List<Object> all = new ArrayList<>(parameters);
        all.addAll(List.of(more));
        return all.toArray();
    }
}
