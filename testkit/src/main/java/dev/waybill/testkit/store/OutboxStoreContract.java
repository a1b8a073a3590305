package dev.waybill.testkit.store;

import org.junit.jupiter.api.Nested;

/**
 * What every outbox store promises, as tests. An implementation adds a subclass that supplies a {@link StoreFixture}.
 *
 * <p>Every test gets a fixture of its own and closes it.
 */
public abstract class OutboxStoreContract {

    /** Opens an empty store. */
    protected abstract StoreFixture open();

    @Nested
    class Writing extends WriterContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class StrictKeys extends StrictKeyContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Cancelling extends CancelContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Scanning extends ScanContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Reading extends ReadContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Leasing extends LeaseContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Settling extends SettleContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Fencing extends FencingContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Parking extends ParkingContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class DeadLetterDecisions extends DeadLetterContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }
}
