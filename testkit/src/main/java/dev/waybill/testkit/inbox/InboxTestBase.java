package dev.waybill.testkit.inbox;

import dev.waybill.event.Event;
import dev.waybill.inbox.InboxKey;
import dev.waybill.inbox.InboxStore;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fixture for each test, and words for what tests do. */
abstract class InboxTestBase<T> {
    static final String STOCK = "stock";
    static final String MAILS = "mails";

    InboxFixture<T> fixture;
    InboxStore<T> store;

    /** Opens an empty inbox that remembers events for some days. */
    protected InboxFixture<T> open() {
        return open(Duration.ofDays(8));
    }

    /** Opens an empty inbox that remembers events for so long. */
    protected abstract InboxFixture<T> open(Duration retention);

    @BeforeEach
    void openFixture() {
        use(open());
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    void reopen(Duration retention) {
        fixture.close();
        use(open(retention));
    }

    private void use(InboxFixture<T> opened) {
        fixture = opened;
        store = opened.inbox();
    }

    static Delivery delivery(String key) {
        return delivery(key, "OrderPlaced");
    }

    static Delivery delivery(String key, String type) {
        Event event = Event.to("orders")
                .key(key)
                .type(type)
                .json("{}")
                .header("correlation-id", "c-1")
                .build();
        return new Delivery(event, 7, 1, 0, 0);
    }

    static Delivery keyless() {
        return new Delivery(Event.to("orders").type("OrderPlaced").build(), 7, 1, 0, 0);
    }

    static Delivery inReplay(Delivery delivery, int generation) {
        return new Delivery(delivery.event(), delivery.sequence(), 1, generation, 0);
    }

    static InboxKey keyOf(String consumer, Delivery delivery) {
        return InboxKey.of(consumer, delivery);
    }
}
