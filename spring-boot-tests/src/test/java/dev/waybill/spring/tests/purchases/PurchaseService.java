package dev.waybill.spring.tests.purchases;

import dev.waybill.outbox.TypedOutbox;
import dev.waybill.store.NoTransactionException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/** What an application would write. */
public class PurchaseService {

    /** Told around the commit. */
    public record Told(String id, boolean early) {}

    private final TypedOutbox outbox;
    private final Purchases purchases;
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final ApplicationEventPublisher publisher;

    public PurchaseService(TypedOutbox outbox, Purchases purchases, ApplicationEventPublisher publisher) {
        this.outbox = outbox;
        this.purchases = purchases;
        this.publisher = publisher;
    }

    @Transactional
    public void buy(String id) {
        purchases.save(new Purchase(id));
        outbox.publish(new PurchaseMade(id, "service"));
    }

    @Transactional
    public void buyAndFail(String id) {
        buy(id);
        throw new IllegalStateException("no money");
    }

    @Transactional(readOnly = true)
    public void look(String id) {
        outbox.publish(new PurchaseMade(id, "read-only"));
    }

    /** Not through the proxy, so that there is no transaction. */
    public void buyByItself(String id) {
        buy(id);
    }

    @Transactional
    public void tell(String id, boolean early) {
        publisher.publishEvent(new Told(id, early));
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT, condition = "#told.early")
    void early(Told told) {
        outbox.publish(new PurchaseMade(told.id(), "early"));
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT, condition = "!#told.early")
    void late(Told told) {
        try {
            outbox.publish(new PurchaseMade(told.id(), "late"));
        } catch (NoTransactionException e) {
            refused.add(told.id());
            throw e;
        }
    }

    /** What was published after the commit: Spring only logs what listeners throw there. */
    public List<String> refused() {
        return refused;
    }
}
