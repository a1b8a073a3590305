package dev.waybill.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.examples.shop.demo.Audit.Findings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In the tables of the services themselves. */
class AuditTest {
    private static final String URL = "jdbc:h2:mem:audit";

    private final Audit audit = new Audit(AuditTest::database);
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(URL);
        for (String service : List.of("orders", "inventory", "payments", "notifications")) {
            execute("CREATE SCHEMA shop_" + service);
            execute("SET SCHEMA shop_" + service);
            execute("RUNSCRIPT FROM 'classpath:" + service + "/schema.sql'");
        }
        paid(1, "anna");
        declined(2, "ben");
        soldOut(3, "anna");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void ordersWithTheEffectsOfTheirOutcomeAreComplete() {
        assertThat(audit.run()).isEqualTo(new Findings(3, 3, 0, 0, 0, 0, List.of()));
    }

    @Test
    void anEmptyShopIsComplete() throws SQLException {
        for (String table : List.of(
                "shop_orders.customer_order",
                "shop_inventory.reservation",
                "shop_payments.payment",
                "shop_notifications.mail")) {
            execute("DELETE FROM " + table);
        }
        assertThat(audit.run()).isEqualTo(new Findings(0, 0, 0, 0, 0, 0, List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM shop_inventory.reservation WHERE order_id = 1",
                "DELETE FROM shop_payments.payment WHERE order_id = 1",
                "DELETE FROM shop_notifications.mail WHERE order_id = 1 AND subject = 'RECEIVED'",
                "DELETE FROM shop_notifications.mail WHERE order_id = 1 AND subject = 'PAID'",
                "UPDATE shop_orders.customer_order SET version = 0 WHERE id = 1",
                "UPDATE shop_inventory.reservation SET state = 'RESERVED' WHERE order_id = 2"
            })
    void anEffectThatIsNotThereIsMissing(String loss) throws SQLException {
        execute(loss);
        Findings findings = audit.run();
        assertThat(findings.missing()).isEqualTo(1);
        assertThat(findings.complete()).isEqualTo(2);
        assertThat(findings.examples()).first().asString().contains(" lacks ");
    }

    @Test
    void anOrderWithoutAnOutcomeIsMissingAndNotDoubled() throws SQLException {
        execute("UPDATE shop_orders.customer_order SET state = 'PLACED', version = 0 WHERE id = 1");
        assertThat(audit.run())
                .returns(1L, Findings::missing)
                .returns(0L, Findings::doubled)
                .returns(false, Findings::isComplete);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO shop_inventory.reservation (order_id, customer, article, quantity, state)"
                        + " VALUES (1, 'anna', 'tea', 1, 'RESERVED')",
                "INSERT INTO shop_payments.payment (order_id, customer, amount, state) VALUES (1, 'anna', 7, 'TAKEN')",
                "INSERT INTO shop_notifications.mail (order_id, customer, subject) VALUES (1, 'anna', 'PAID')",
                "UPDATE shop_orders.customer_order SET version = 2 WHERE id = 1"
            })
    void anEffectThatIsThereTwiceIsDoubled(String again) throws SQLException {
        execute(again);
        Findings findings = audit.run();
        assertThat(findings.doubled()).isEqualTo(1);
        assertThat(findings.complete()).isEqualTo(2);
        assertThat(findings.examples()).anyMatch(example -> example.contains("too much"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 9})
    void anEffectOfAnOrderThatDoesNotExistIsAGhostWhereverItsNumberFalls(int order) throws SQLException {
        execute("DELETE FROM shop_orders.customer_order WHERE id = " + order);
        execute("DELETE FROM shop_inventory.reservation WHERE order_id = " + order);
        execute("DELETE FROM shop_payments.payment WHERE order_id = " + order);
        execute("DELETE FROM shop_notifications.mail WHERE order_id = " + order);
        mail(order, "ghost", "RECEIVED");
        assertThat(audit.run()).returns(1L, Findings::ghosts).returns(0L, Findings::missing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop_inventory.reservation", "shop_payments.payment", "shop_notifications.mail"})
    void whatCameAfterALaterOrderOfItsCustomerIsOutOfOrder(String table) throws SQLException {
        paid(4, "anna");
        assertThat(audit.run().outOfOrder()).isZero();
        execute("UPDATE " + table + " SET order_id = 5 - order_id WHERE order_id IN (1, 4)");
        assertThat(audit.run().outOfOrder()).isPositive();
    }

    @Test
    void mailsFromDifferentServicesHaveNoOrderAmongThem() throws SQLException {
        order(4, "anna", "PAID");
        reservation(4, "anna", "RESERVED");
        payment(4, "anna", "TAKEN");
        mail(4, "anna", "RECEIVED");
        soldOut(5, "anna");
        mail(4, "anna", "PAID");
        assertThat(audit.run()).isEqualTo(new Findings(5, 5, 0, 0, 0, 0, List.of()));
    }

    private void paid(int order, String customer) throws SQLException {
        order(order, customer, "PAID");
        mail(order, customer, "RECEIVED");
        reservation(order, customer, "RESERVED");
        payment(order, customer, "TAKEN");
        mail(order, customer, "PAID");
    }

    private void declined(int order, String customer) throws SQLException {
        order(order, customer, "DECLINED");
        reservation(order, customer, "RETURNED");
        payment(order, customer, "DECLINED");
        mail(order, customer, "RECEIVED");
        mail(order, customer, "DECLINED");
    }

    private void soldOut(int order, String customer) throws SQLException {
        order(order, customer, "SOLD_OUT");
        reservation(order, customer, "OUT_OF_STOCK");
        mail(order, customer, "SOLD_OUT");
        mail(order, customer, "RECEIVED");
    }

    private void order(int id, String customer, String state) throws SQLException {
        execute(
                "INSERT INTO shop_orders.customer_order (id, customer, article, quantity, amount, state, version) VALUES ("
                        + id + ", '" + customer + "', 'tea', 1, 7, '" + state + "', 1)");
    }

    private void reservation(int order, String customer, String state) throws SQLException {
        execute("INSERT INTO shop_inventory.reservation (order_id, customer, article, quantity, state) VALUES (" + order
                + ", '" + customer + "', 'tea', 1, '" + state + "')");
    }

    private void payment(int order, String customer, String state) throws SQLException {
        execute("INSERT INTO shop_payments.payment (order_id, customer, amount, state) VALUES (" + order + ", '"
                + customer + "', 7, '" + state + "')");
    }

    private void mail(int order, String customer, String subject) throws SQLException {
        execute("INSERT INTO shop_notifications.mail (order_id, customer, subject) VALUES (" + order + ", '" + customer
                + "', '" + subject + "')");
    }

    private static DataSource database(String service) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL + ";SCHEMA=shop_" + service);
        return database;
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
