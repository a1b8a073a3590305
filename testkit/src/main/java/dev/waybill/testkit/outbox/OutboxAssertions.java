package dev.waybill.testkit.outbox;

import dev.waybill.outbox.Outbox;

/** Where the assertions on an outbox begin; made for a static import next to AssertJ's own. */
public final class OutboxAssertions {

    private OutboxAssertions() {}

    /** Looks at a {@link TestOutbox}, or at the outbox of a Spring test with {@code @WaybillTest}. */
    public static OutboxAssert assertThat(Outbox outbox) {
        return new OutboxAssert(outbox);
    }
}
