package dev.waybill.testkit.sim;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is sent together of one key, on a network that keeps its order: each leaves when the one ahead of it has arrived, whether
 * anybody has heard of that or not. Answers come in order, and none behind the first failure. Not thread-safe.
 */
final class SimConvoy {
    private final World world;
    private final Transport network;
    private final List<Delivery> deliveries;
    private final DeliveryListener listener;
    private final @Nullable DeliveryResult[] results;
    private int answered;
    private boolean over;

    SimConvoy(World world, Transport network, List<Delivery> deliveries, DeliveryListener listener) {
        this.world = world;
        this.network = network;
        this.deliveries = deliveries;
        this.listener = listener;
        results = new DeliveryResult[deliveries.size()];
    }

    void depart() {
        send(0);
    }

    /** It has arrived: the next one leaves. */
    void arrived(Delivery delivery) {
        int next = deliveries.indexOf(delivery) + 1;
        if (next == deliveries.size()) {
            return;
        }
        if (answered < next || over) {
            // Whether the relay will hear of it depends on those ahead of it.
            // It will not if it was told of a failure before they arrived.
            world.fleet.allowDuplicates(1);
        }
        try {
            send(next);
        } catch (IllegalStateException e) {
            onResult(next, DeliveryResult.retry("A failing send, as planned."));
        }
    }

    private void send(int index) {
        network.send(List.of(deliveries.get(index)), (delivery, result) -> onResult(index, result));
    }

    private void onResult(int index, DeliveryResult result) {
        if (index < answered) {
            // Once more, or a lie.
            listener.onResult(deliveries.get(index), result);
            return;
        }
        if (results[index] == null) {
            results[index] = result;
        }
        while (!over && answered < results.length) {
            DeliveryResult next = results[answered];
            if (next == null) {
                return;
            }
            over = !next.equals(DeliveryResult.delivered());
            listener.onResult(deliveries.get(answered++), next);
        }
    }
}
