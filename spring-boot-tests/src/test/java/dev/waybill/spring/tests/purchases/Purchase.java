package dev.waybill.spring.tests.purchases;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.Id;
import jakarta.persistence.Transient;
import org.springframework.data.domain.Persistable;

/** Something that is stored together with its event. */
@Entity
@EntityListeners(PurchaseListener.class)
public class Purchase implements Persistable<String> {
    @Id
    private String id;

    private boolean announced;

    protected Purchase() {}

    public Purchase(String id) {
        this.id = id;
    }

    /** One whose listener publishes when Hibernate writes it. */
    public static Purchase announced(String id) {
        Purchase purchase = new Purchase(id);
        purchase.announced = true;
        return purchase;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    @Transient
    public boolean isNew() {
        return true;
    }

    boolean isAnnounced() {
        return announced;
    }
}
