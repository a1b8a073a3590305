package dev.waybill.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.Event;
import dev.waybill.testkit.check.Verdict;
import dev.waybill.transport.Delivery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EffectsTest {
    private final JdbcDataSource database = new JdbcDataSource();
    private final Effects effects = new Effects(database, "shop_effect", "shop_order");
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        database.setURL("jdbc:h2:mem:effects");
        connection = database.getConnection();
        Shop.createTable(database, "shop_order");
        effects.createTable();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void everyOrderOnceAndInOrderHolds() throws SQLException {
        effect(order("anna"), "anna", 1);
        effect(order("ben"), "ben", 2);
        effect(order("anna"), "anna", 3);
        assertThat(effects.areComplete()).isTrue();
        assertThat(verdict()).matches(Verdict::holds).matches(verdict -> verdict.duplicates() == 0);
        assertThat(verdict().delivered()).isEqualTo(3);
    }

    @Test
    void anOrderWithoutAnEffectIsLost() throws SQLException {
        UUID lost = order("anna");
        assertThat(effects.areComplete()).isFalse();
        assertThat(verdict().lost()).isEqualTo(1);
        assertThat(verdict().examples()).containsExactly("Order " + lost + " never took effect.");
    }

    @Test
    void anEffectWithoutAnOrderIsAGhost() throws SQLException {
        effect(UUID.randomUUID(), "anna", 1);
        assertThat(verdict().ghosts()).isEqualTo(1);
        assertThat(verdict().delivered()).isZero();
    }

    @Test
    void aSecondEffectOfAnOrderIsDoubled() throws SQLException {
        UUID order = order("anna");
        effect(order, "anna", 1);
        effect(order, "anna", 1);
        assertThat(verdict().duplicates()).isEqualTo(1);
        assertThat(verdict().delivered()).isEqualTo(1);
        assertThat(verdict().examples()).containsExactly("Order " + order + " took effect more than once.");
    }

    @Test
    void whatOvertookAnEarlierOneOfItsCustomerIsOutOfOrder() throws SQLException {
        effect(order("anna"), "anna", 2);
        effect(order("anna"), "anna", 1);
        effect(order("ben"), "ben", 9);
        assertThat(verdict().outOfOrder()).isEqualTo(1);
        assertThat(verdict().holds()).isFalse();
    }

    private Verdict verdict() {
        return effects.verdict(0, 0);
    }

    private UUID order(String customer) throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO shop_order (id, customer, amount) VALUES (?, ?, 1)")) {
            insert.setString(1, id.toString());
            insert.setString(2, customer);
            insert.executeUpdate();
        }
        return id;
    }

    private void effect(UUID id, String customer, long sequence) throws SQLException {
        Event event = Event.to(Shop.DESTINATION)
                .id(id)
                .key(customer)
                .type(Shop.EVENT_TYPE)
                .json("{}")
                .build();
        effects.add(connection, new Delivery(event, sequence, 1, 0, 0));
    }
}
