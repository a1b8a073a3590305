package dev.waybill.testkit.outbox;

import java.util.List;

/** What an outbox of a test remembers, for {@link OutboxAssertions}. Thread-safe. */
public interface PublishedEvents {

    /** All that was published and committed, in the order of commits. */
    List<Published> published();

    /** All that was published in transactions that are still open, or were rolled back. */
    List<Published> uncommitted();

    /** Forgets all of it, for the next test. */
    void forget();
}
