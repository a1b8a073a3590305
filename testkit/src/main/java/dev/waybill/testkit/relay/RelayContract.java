package dev.waybill.testkit.relay;

import dev.waybill.testkit.store.StoreFixture;
import org.junit.jupiter.api.Nested;

/** What a relay promises over a store. A store's module adds a subclass that supplies a {@link StoreFixture}. */
public abstract class RelayContract {

    /** Opens an empty store. */
    protected abstract StoreFixture open();

    @Nested
    class Delivering extends DeliveryContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }

    @Nested
    class KeepingOrder extends OrderContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }

    @Nested
    class BeingWoken extends WakeUpContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }

    @Nested
    class SharingWork extends OwnershipContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }

    @Nested
    class Isolating extends IsolationContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }

    @Nested
    class PuttingFirst extends PriorityContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }

    @Nested
    class ObeyingPeople extends DecisionContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }

    @Nested
    class KeepingALedger extends LedgerContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }

    @Nested
    class SurvivingTheStore extends StoreFailureContract {
        @Override
        StoreFixture open() {
            return RelayContract.this.open();
        }
    }
}
