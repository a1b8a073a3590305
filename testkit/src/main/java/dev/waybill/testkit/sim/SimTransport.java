package dev.waybill.testkit.sim;

import dev.waybill.testkit.transport.FaultyTransport;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The way from one relay to the consumer; what is on it arrives even if the relay dies. Not thread-safe. */
final class SimTransport implements Transport {
    private final World world;
    private final SimRelay relay;
    private final Transport network;
    private final Map<Long, SimConvoy> convoys = new HashMap<>();

    SimTransport(World world, SimRelay relay) {
        this.world = world;
        this.relay = relay;
        network = new FaultyTransport(new Consumer(), new Weather(world, relay), world.time);
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        relay.sending(batch);
        DeliveryListener bell = (delivery, result) -> {
            relay.answered(delivery, result);
            listener.onResult(delivery, result);
        };
        try {
            send(batch, world.dice.between(0, batch.size()), bell);
        } catch (RuntimeException e) {
            relay.sendThrew(batch);
            throw e;
        }
    }

    @Override
    public boolean keepsOrder() {
        return world.keepsOrder;
    }

    /** Whatever befalls the relay does so when part of the batch is on its way. */
    private void send(List<Delivery> batch, int part, DeliveryListener bell) {
        boolean crashes = relay.strikes(world.scenario.faults().crashes());
        boolean freezes = relay.strikes(world.scenario.faults().freezes());
        depart(batch, 0, part, bell);
        if (crashes) {
            relay.crash("while sending");
            throw new SimulatedCrash();
        }
        if (freezes) {
            relay.freeze("while sending");
        }
        depart(batch, part, batch.size(), bell);
    }

    private void depart(List<Delivery> batch, int from, int to, DeliveryListener bell) {
        if (!world.keepsOrder) {
            network.send(batch.subList(from, to), bell);
            return;
        }
        for (int i = from; i < to; i++) {
            if (i > 0 && SimRelay.areOfOneKey(batch.get(i - 1), batch.get(i))) {
                continue;
            }
            int end = i + 1;
            while (end < batch.size() && SimRelay.areOfOneKey(batch.get(i), batch.get(end))) {
                end++;
            }
            SimConvoy convoy = new SimConvoy(world, network, batch.subList(i, end), bell);
            batch.subList(i, end).forEach(delivery -> convoys.put(delivery.sendId(), convoy));
            convoy.depart();
        }
    }

    @Override
    public void close() {}

    private final class Consumer implements Transport {
        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            for (Delivery delivery : batch) {
                world.arrived(delivery);
                listener.onResult(delivery, DeliveryResult.delivered());
                SimConvoy convoy = convoys.remove(delivery.sendId());
                if (convoy != null) {
                    convoy.arrived(delivery);
                }
            }
        }

        @Override
        public void close() {}
    }
}
