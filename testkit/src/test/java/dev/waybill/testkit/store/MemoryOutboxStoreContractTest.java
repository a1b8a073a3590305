package dev.waybill.testkit.store;

/** The reference store keeps the contract. */
class MemoryOutboxStoreContractTest extends OutboxStoreContract {

    @Override
    protected StoreFixture open() {
        return new MemoryStoreFixture();
    }
}
