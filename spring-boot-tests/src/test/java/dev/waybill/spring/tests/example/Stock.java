package dev.waybill.spring.tests.example;

import dev.waybill.event.Event;
import dev.waybill.spring.EventHandler;
import dev.waybill.transport.NonRetryableException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
class Stock {
    private final JdbcTemplate jdbc;
    final List<String> mails = new CopyOnWriteArrayList<>();

    Stock(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    // handler
    @EventHandler(consumer = "stock")
    void reserve(OrderPlaced event) throws OutOfStock {
        if (event.pieces() > 100) {
            throw new OutOfStock(event.order());
        }
        jdbc.update("INSERT INTO reservation VALUES (?, ?)", event.order(), event.pieces());
    }

    @EventHandler(consumer = "mailer", destination = "orders", type = "OrderPlaced", version = 2, leased = true)
    void confirm(Event event) {
        mails.add(event.key() + " " + event.payload().utf8());
    }
    // end

    // out-of-stock
    static final class OutOfStock extends Exception implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        OutOfStock(String order) {
            super("Not enough for " + order);
        }
    }
    // end
}
