package dev.waybill.spring.tests.example;

import dev.waybill.event.Event;
import dev.waybill.outbox.TypedOutbox;
import java.time.Duration;
import java.util.UUID;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {
    private final JdbcTemplate jdbc;
    private final TypedOutbox outbox;
    private final ApplicationEventPublisher publisher;

    Orders(JdbcTemplate jdbc, TypedOutbox outbox, ApplicationEventPublisher publisher) {
        this.jdbc = jdbc;
        this.outbox = outbox;
        this.publisher = publisher;
    }

    // publish
    @Transactional
    public void place(String order, int pieces) {
        jdbc.update("INSERT INTO shop_order VALUES (?, ?)", order, pieces);
        outbox.publish(new OrderPlaced(order, pieces, "EUR"));
    }
    // end

    // application-event
    @Transactional
    public void placeAsBefore(String order, int pieces) {
        jdbc.update("INSERT INTO shop_order VALUES (?, ?)", order, pieces);
        publisher.publishEvent(new OrderPlaced(order, pieces, "EUR"));
    }
    // end

    // reminder
    @Transactional
    public UUID remindLater(String order) {
        return outbox.publish(Event.to("reminders")
                .type("Reminder")
                .json("{\"order\": \"" + order + "\"}")
                .availableIn(Duration.ofDays(1))
                .build());
    }
    // end
}
