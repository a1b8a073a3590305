package dev.waybill.testkit.store;

import java.time.Duration;
import org.junit.jupiter.api.Nested;

/**
 * What every outbox store promises, as tests. An implementation adds a subclass that supplies a {@link StoreFixture}.
 *
 * <p>Every test gets a fixture of its own and closes it.
 */
public abstract class OutboxStoreContract {

    /** Opens an empty store that keeps deliveries for at least some minutes. */
    protected StoreFixture open() {
        return open(Duration.ofHours(24));
    }

    /** Opens an empty store that keeps deliveries for so long; zero: they leave no trace. */
    protected abstract StoreFixture open(Duration retention);

    @Nested
    class ReplayingDeadLetters extends RedriveContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

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

    @Nested
    class SearchingDeadLetters extends DeadLetterSearchContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Correcting extends CorrectionContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Operating extends OperationsContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Pausing extends PauseContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Auditing extends AuditContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class Remembering extends HistoryContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }

        @Override
        StoreFixture open(Duration retention) {
            return OutboxStoreContract.this.open(retention);
        }
    }

    @Nested
    class Replaying extends ReplayContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }

        @Override
        StoreFixture open(Duration retention) {
            return OutboxStoreContract.this.open(retention);
        }
    }

    @Nested
    class ReplayingAtARate extends ReplayRateContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }

    @Nested
    class CopiesOfReplays extends ReplayCopyContract {
        @Override
        StoreFixture open() {
            return OutboxStoreContract.this.open();
        }
    }
}
