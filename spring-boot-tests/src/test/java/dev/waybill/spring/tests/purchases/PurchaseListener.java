package dev.waybill.spring.tests.purchases;

import dev.waybill.outbox.TypedOutbox;
import jakarta.persistence.PostPersist;

/** Publishes while Hibernate flushes, which is mostly within the commit. */
public class PurchaseListener {
    private final TypedOutbox outbox;

    public PurchaseListener(TypedOutbox outbox) {
        this.outbox = outbox;
    }

    @PostPersist
    void stored(Purchase purchase) {
        if (purchase.isAnnounced()) {
            outbox.publish(new PurchaseMade(purchase.getId(), "listener"));
        }
    }
}
