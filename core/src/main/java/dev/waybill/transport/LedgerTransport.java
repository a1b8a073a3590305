package dev.waybill.transport;

import java.util.concurrent.CompletionStage;

/**
 * A transport that writes down at the destination, in one atomic step with each delivery, what has arrived: who takes over
 * from a relay that crashed can ask, and need not deliver anything twice. Thread-safe.
 *
 * <p>The ledger is kept for each {@linkplain dev.waybill.store.Shards#groupOf group} of shards. A relay that owns the
 * {@linkplain dev.waybill.store.Shards#leadOf lead} of a group begins a {@link Term}, and sends what belongs to the group
 * through that. {@link #send} is for callers that know nothing of terms: it delivers at least once, and to the ledger it is as
 * if it had not happened.
 */
public interface LedgerTransport extends Transport {

    /**
     * Begins a term for a group, and ends every earlier one of it, whoever began that in whichever process: nothing that those
     * send can arrive any more. Returns without waiting; the answer comes from any thread.
     *
     * @return fails if the destination cannot be asked at the moment: then nothing is known, and it is to be tried again
     */
    CompletionStage<Term> begin(int group);
}
