package dev.waybill.testkit.store;

import dev.waybill.testkit.relay.RelayContract;
import java.time.Duration;

/** The relay keeps its promises over the reference store. */
class MemoryRelayContractTest extends RelayContract {

    @Override
    protected StoreFixture open() {
        return new MemoryStoreFixture(Duration.ofHours(24));
    }
}
