package dev.waybill.testkit.store;

import java.time.Duration;

/** The reference store keeps the contract. */
class MemoryOutboxStoreContractTest extends OutboxStoreContract {

    @Override
    protected StoreFixture open(Duration retention) {
        return new MemoryStoreFixture(retention);
    }
}
