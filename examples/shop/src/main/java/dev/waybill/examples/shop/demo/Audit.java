package dev.waybill.examples.shop.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was committed in the database of orders with what the other services' databases hold. Thread-safe.
 *
 * <p>It walks through all tables at once, one order after the other, and keeps nothing but the last order of each customer:
 * a long run needs no more memory than a short one.
 */
final class Audit {
    private static final int FETCH = 1000;
    private static final int EXAMPLES = 5;
    private static final String PLACED = "PLACED";

    /** What each outcome of an order has to have left behind. */
    private static final Map<String, List<String>> EXPECTED = Map.of(
            "PAID", List.of("outcome", "reservation RESERVED", "payment TAKEN", "mail RECEIVED", "mail PAID"),
            "DECLINED",
                    List.of("outcome", "reservation RETURNED", "payment DECLINED", "mail RECEIVED", "mail DECLINED"),
            "SOLD_OUT", List.of("outcome", "reservation OUT_OF_STOCK", "mail RECEIVED", "mail SOLD_OUT"));

    private final Function<String, DataSource> databases;

    /** An audit of the databases of services, by the services' names. */
    Audit(Function<String, DataSource> databases) {
        this.databases = databases;
    }

    /**
     * What it found.
     *
     * @param complete   orders with exactly the effects of their outcome
     * @param missing    orders without some of them
     * @param doubled    orders with more than these
     * @param ghosts     effects of orders that do not exist
     * @param outOfOrder effects that came after that of a later order of the same customer
     */
    record Findings(
            long orders,
            long complete,
            long missing,
            long doubled,
            long ghosts,
            long outOfOrder,
            List<String> examples) {

        /** Whether nothing has to be waited for. */
        boolean isComplete() {
            return missing == 0;
        }
    }

    Findings run() {
        try {
            Walk walk = new Walk();
            compare(walk);
            inOrder(walk, "inventory", "SELECT order_id, customer, 'reservation' FROM reservation ORDER BY id");
            inOrder(walk, "payments", "SELECT order_id, customer, 'payment' FROM payment ORDER BY id");
            // Three sources, each with an order of its own: the orders, the shelves and the till.
            inOrder(
                    walk,
                    "notifications",
                    "SELECT order_id, customer, CASE subject WHEN 'RECEIVED' THEN 'first mail' WHEN 'SOLD_OUT' THEN 'sorry mail'"
                            + " ELSE 'payment mail' END FROM mail ORDER BY id");
            return walk.findings();
        } catch (SQLException e) {
            throw new IllegalStateException("The effects could not be read: " + e.getMessage(), e);
        }
    }

    private void compare(Walk walk) throws SQLException {
        try (Cursor orders = open("orders", "SELECT id, state, version FROM customer_order ORDER BY id");
                Cursor reservations = open("inventory", effects("reservation", "state"));
                Cursor payments = open("payments", effects("payment", "state"));
                Cursor mails = open("notifications", effects("mail", "subject"))) {
            List<Cursor> effects = List.of(reservations, payments, mails);
            for (long order = first(orders, effects); order < Long.MAX_VALUE; order = first(orders, effects)) {
                String state = null;
                List<String> found = new ArrayList<>();
                if (orders.id == order) {
                    state = orders.text(2);
                    // Its version counts the changes: each was an outcome that took effect.
                    for (int i = 0; i < orders.number(3); i++) {
                        found.add("outcome");
                    }
                    orders.advance();
                }
                for (Cursor effect : effects) {
                    while (effect.id == order) {
                        found.add(effect.text(2));
                        effect.advance();
                    }
                }
                walk.judge(order, state, found);
            }
        }
    }

    private static long first(Cursor orders, List<Cursor> effects) {
        return effects.stream().mapToLong(effect -> effect.id).reduce(orders.id, Math::min);
    }

    /** The effects of a customer in the order in which they came, which must be that of the orders. */
    private void inOrder(Walk walk, String service, String select) throws SQLException {
        Map<String, Long> last = new HashMap<>();
        try (Cursor rows = open(service, select)) {
            while (rows.id < Long.MAX_VALUE) {
                Long before = last.put(rows.text(2) + ' ' + rows.text(3), rows.id);
                if (before != null && before > rows.id) {
                    walk.overtaken(rows.text(3), rows.id, before);
                }
                rows.advance();
            }
        }
    }

    private static String effects(String table, String kind) {
        return "SELECT order_id, CONCAT('" + table + " ', " + kind + ") FROM " + table + " ORDER BY order_id";
    }

    private Cursor open(String service, String select) throws SQLException {
        Connection connection = databases.apply(service).getConnection();
        try {
            return new Cursor(connection, select);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** The sums, while the tables are walked through. */
    private static final class Walk {
        private long orders;
        private long complete;
        private long missing;
        private long doubled;
        private long ghosts;
        private long outOfOrder;
        private final List<String> examples = new ArrayList<>();

        void judge(long order, @Nullable String state, List<String> found) {
            if (state == null) {
                ghosts += found.size();
                example("Order " + order + " was rolled back, and took effect: " + found + ".");
                return;
            }
            orders++;
            List<String> lacking = new ArrayList<>(EXPECTED.getOrDefault(state, List.of("an outcome")));
            List<String> further = new ArrayList<>(found);
            found.stream().filter(lacking::remove).forEach(further::remove);
            if (state.equals(PLACED)) {
                // Half-way is not too much.
                List.copyOf(further).stream().distinct().forEach(further::remove);
            }
            if (!lacking.isEmpty()) {
                missing++;
                example("Order " + order + " (" + state + ") lacks " + lacking + ".");
            }
            if (!further.isEmpty()) {
                doubled++;
                example("Order " + order + " (" + state + ") has too much: " + further + ".");
            }
            if (lacking.isEmpty() && further.isEmpty()) {
                complete++;
            }
        }

        void overtaken(String what, long order, long before) {
            outOfOrder++;
            example("The " + what + " of order " + order + " came after that of the customer's order " + before + ".");
        }

        Findings findings() {
            return new Findings(orders, complete, missing, doubled, ghosts, outOfOrder, List.copyOf(examples));
        }

        private void example(String text) {
            if (examples.size() < EXAMPLES) {
                examples.add(text);
            }
        }
    }

    /** Reads rows as they are needed. */
    private static final class Cursor implements AutoCloseable {
        private final Connection connection;
        private final PreparedStatement statement;
        private final ResultSet rows;
        /** The first column of the current row; past the last row larger than any. */
        private long id;

        Cursor(Connection connection, String select) throws SQLException {
            this.connection = connection;
            // PostgreSQL reads piece by piece only within a transaction.
            connection.setAutoCommit(false);
            statement = connection.prepareStatement(select);
            statement.setFetchSize(FETCH);
            rows = statement.executeQuery();
            advance();
        }

        void advance() throws SQLException {
            id = rows.next() ? rows.getLong(1) : Long.MAX_VALUE;
        }

        String text(int column) throws SQLException {
            return String.valueOf(rows.getString(column));
        }

        int number(int column) throws SQLException {
            return rows.getInt(column);
        }

        @Override
        public void close() throws SQLException {
            try (connection;
                    statement;
                    rows) {
                connection.rollback();
            }
        }
    }
}
