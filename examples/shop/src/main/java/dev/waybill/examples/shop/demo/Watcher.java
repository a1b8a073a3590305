package dev.waybill.examples.shop.demo;

import dev.waybill.inbox.HandlerGuard;
import dev.waybill.spring.HandlerInterceptor;
import dev.waybill.transport.Delivery;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Stands around all handlers of the shop: lets some fail, and enters into the ledger what took effect. Thread-safe. */
final class Watcher implements HandlerInterceptor {
    private final Ledger ledger;
    private final @Nullable Faults faults;

    Watcher(Ledger ledger, @Nullable Faults faults) {
        this.ledger = ledger;
        this.faults = faults;
    }

    @Override
    public void around(String consumer, Delivery delivery, HandlerGuard.Attempt attempt) throws Exception {
        Faults failing = consumer.equals(Shop.PAYMENTS) ? faults : null;
        if (failing != null) {
            failing.strike(delivery.event().id());
        }
        attempt.run();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                if (failing != null) {
                    failing.handled(delivery.event().id());
                }
                ledger.tookEffect(consumer, delivery.event());
            }
        });
    }
}
