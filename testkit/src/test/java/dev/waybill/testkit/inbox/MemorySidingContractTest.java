package dev.waybill.testkit.inbox;

import dev.waybill.store.memory.MemoryTransaction;
import java.time.Duration;

class MemorySidingContractTest extends SidingContract<MemoryTransaction> {

    @Override
    protected InboxFixture<MemoryTransaction> open(Duration retention) {
        return new MemoryInboxFixture(retention);
    }
}
