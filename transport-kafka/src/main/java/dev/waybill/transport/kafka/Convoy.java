package dev.waybill.transport.kafka;

import dev.waybill.event.Event;
import dev.waybill.transport.DeliveryResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Shipments of one (destination, key) that came together, in their order, or a single one. Thread-safe: the sender thread hands
 * them over, and the producer's thread tells what became of them.
 *
 * <p>They are answered in their order, up to the first that failed; those behind it are neither sent nor answered. Whoever reports
 * a failure is told whether some of them are with the producer already.
 */
final class Convoy {
    static final int NONE = -1;

    private final List<Shipment> shipments;
    /** What became of each, as far as it is known. */
    private final @Nullable DeliveryResult[] results;

    private @Nullable Integer partition;
    /** How many were handed to the channel, of those that are not taken back. */
    private int handed;
    /** How many were answered. */
    private int answered;
    /** From here on nothing may be handed over. */
    private int end;
    /** Who has what was handed over and not yet answered. */
    private @Nullable Channel channel;

    Convoy(List<Shipment> shipments) {
        this.shipments = shipments;
        results = new DeliveryResult[shipments.size()];
        end = shipments.size();
    }

    /** Those that belong together stand next to each other. */
    static List<Convoy> of(List<Shipment> batch) {
        List<Convoy> convoys = new ArrayList<>();
        int begin = 0;
        for (int i = 1; i <= batch.size(); i++) {
            if (i == batch.size() || !isOfOneKey(batch.get(begin), batch.get(i))) {
                convoys.add(new Convoy(batch.subList(begin, i)));
                begin = i;
            }
        }
        return convoys;
    }

    private static boolean isOfOneKey(Shipment one, Shipment other) {
        Event first = one.delivery().event();
        Event second = other.delivery().event();
        return first.key() != null
                && Objects.equals(first.key(), second.key())
                && first.destination().equals(second.destination());
    }

    /**
     * Where all of them go; {@code null} for a single one, which goes where the producer says. Chosen once: if the topic gets more
     * partitions meanwhile, the later ones would go elsewhere, and before those that wait. For the sender thread.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException if nobody knows how many partitions there are
     */
    @Nullable
    Integer partition(Channel in, String topic) {
        if (partition == null && shipments.size() > 1) {
            byte[] key =
                    String.valueOf(shipments.get(0).delivery().event().key()).getBytes(StandardCharsets.UTF_8);
            // As the producer itself chooses, and every other client.
            partition = Utils.toPositive(Utils.murmur2(key))
                    % in.producer.partitionsFor(topic).size();
        }
        return partition;
    }

    String destination() {
        return shipments.get(0).delivery().event().destination();
    }

    Shipment shipment(int index) {
        return shipments.get(index);
    }

    /**
     * The index of the next one to hand over to a channel, which counts as handed over from here on; {@link #NONE} if there is none, or if it
     * has to wait until those ahead of it are acknowledged.
     *
     * @param together whether the channel may have several of them at a time
     */
    synchronized int next(Channel to, boolean together) {
        boolean free = handed == answered || (together && channel == to);
        if (handed >= end || !free) {
            return NONE;
        }
        channel = to;
        return handed++;
    }

    /** The channel has not taken it. */
    synchronized void refused(int index) {
        handed = Math.max(answered, Math.min(handed, index));
    }

    /** It has arrived. Returns whether the next one has waited for that. */
    synchronized boolean acknowledged(int index, Channel by) {
        if (channel != by) {
            // It was taken back: nobody waits for this any more.
            return false;
        }
        result(index, DeliveryResult.delivered());
        return handed == answered && handed < end;
    }

    /**
     * Nothing behind this one may be handed over any more; its result follows.
     *
     * @return whether the channel has something that is behind it
     */
    synchronized boolean cut(int index) {
        end = Math.min(end, index);
        return handed > index + 1;
    }

    /** It failed, and nothing behind it is sent. */
    synchronized void failed(int index, DeliveryResult result) {
        cut(index);
        result(index, result);
    }

    /** Nothing more can be handed over. */
    synchronized void failedNext(DeliveryResult result) {
        if (handed < end) {
            failed(handed, result);
        }
    }

    /**
     * A channel was stopped: what it has not acknowledged goes to another one. It may have arrived all the same.
     *
     * @return whether there is something to send; for each channel once
     */
    synchronized boolean takeBack(Channel from) {
        if (channel != from) {
            return false;
        }
        channel = null;
        handed = answered;
        return handed < end;
    }

    private void result(int index, DeliveryResult result) {
        results[index] = result;
        while (answered < shipments.size()) {
            DeliveryResult next = results[answered];
            if (next == null || answered > end) {
                return;
            }
            shipments.get(answered).answer(next);
            answered++;
        }
    }
}
