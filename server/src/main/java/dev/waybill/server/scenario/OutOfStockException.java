package dev.waybill.server.scenario;

import dev.waybill.transport.NonRetryableException;

/** A business error: trying again does not fill the shelf. */
final class OutOfStockException extends Exception implements NonRetryableException {
    private static final long serialVersionUID = 1L;

    OutOfStockException(Order order, int available) {
        super("Order " + order.id() + " wants " + order.quantity() + " of " + order.article() + ", there are "
                + available + ".");
    }
}
