package dev.waybill.testkit.sim;

import dev.waybill.testkit.transport.FaultyTransport;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.util.List;

/** The way from one relay to the consumer; what is on it arrives even if the relay dies. Not thread-safe. */
final class SimTransport implements Transport {
    private final World world;
    private final SimRelay relay;
    private final Transport network;

    SimTransport(World world, SimRelay relay) {
        this.world = world;
        this.relay = relay;
        network = new FaultyTransport(new Consumer(world), new Weather(world, relay), world.time);
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

    /** Whatever befalls the relay does so when part of the batch is on its way. */
    private void send(List<Delivery> batch, int part, DeliveryListener bell) {
        boolean crashes = relay.strikes(world.scenario.faults().crashes());
        boolean freezes = relay.strikes(world.scenario.faults().freezes());
        network.send(batch.subList(0, part), bell);
        if (crashes) {
            relay.crash("while sending");
            throw new SimulatedCrash();
        }
        if (freezes) {
            relay.freeze("while sending");
        }
        network.send(batch.subList(part, batch.size()), bell);
    }

    @Override
    public void close() {}

    private record Consumer(World world) implements Transport {
        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            for (Delivery delivery : batch) {
                world.arrived(delivery);
                listener.onResult(delivery, DeliveryResult.delivered());
            }
        }

        @Override
        public void close() {}
    }
}
