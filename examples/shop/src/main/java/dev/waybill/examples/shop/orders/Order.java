package dev.waybill.examples.shop.orders;

import dev.waybill.examples.shop.events.OrderPlaced;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.jspecify.annotations.Nullable;

/** What a customer ordered, and what became of it. */
@Entity
@Table(name = "customer_order")
class Order {
    /** From placed to one of the others. */
    enum State {
        PLACED,
        PAID,
        DECLINED,
        SOLD_OUT
    }

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private String customer;
    private String article;
    private int quantity;
    private long amount;

    @Enumerated(EnumType.STRING)
    @SuppressWarnings("UnusedVariable") // JPA reads it.
    private State state = State.PLACED;

    /** Counts the changes: 1 when the outcome took effect once. */
    @Version
    private int version;

    Order(String customer, String article, int quantity, long amount) {
        this.customer = customer;
        this.article = article;
        this.quantity = quantity;
        this.amount = amount;
    }

    /** For JPA. */
    @SuppressWarnings("NullAway.Init")
    protected Order() {}

    long id() {
        if (id == null) {
            throw new IllegalStateException("An order has an id once it is saved.");
        }
        return id;
    }

    OrderPlaced placed() {
        return new OrderPlaced(id(), customer, article, quantity, amount);
    }

    void becomes(State outcome) {
        state = outcome;
    }
}
