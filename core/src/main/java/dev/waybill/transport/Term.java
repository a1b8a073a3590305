package dev.waybill.transport;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * The time in which one relay, and no other, delivers what belongs to a group of shards. Thread-safe.
 *
 * <p>The results of its deliveries are certain: {@link DeliveryResult.Delivered} has arrived, and is in the ledger until it is
 * {@linkplain #settled settled}; everything else has not arrived, and never will by that send. When the transport cannot be
 * certain, it gives no result and ends the term: the ledger that the next term reads tells. {@link #close} ends it too,
 * without waiting for what is on its way.
 */
public interface Term extends Transport {

    /**
     * The same term with another way to send, for transports that wrap transports.
     *
     * @param send gets what is to be sent, and passes it on to the term
     */
    static Term wrap(Term term, BiConsumer<List<Delivery>, DeliveryListener> send) {
        return new WrappedTerm(term, send);
    }

    /** An entry that has arrived, by its sequence and by the event's id: after a restore a sequence may be another event's. */
    record Arrived(int shard, long sequence, UUID event) {}

    /** What had arrived before this term, and of which nobody has said that it is settled. */
    List<Arrived> arrived();

    /** The store knows that this entry was delivered, so no successor has to be told. Never blocks. */
    void settled(long sequence);

    /** Completes, with the reason, when nothing can be delivered in this term any more; never if it was closed before. */
    CompletionStage<String> ended();
}
