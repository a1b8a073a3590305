package dev.waybill.testkit.transport;

import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Slow answers are no breach of the contract. */
class FaultyTransportContractTest extends TransportContract {
    private final RecordingTransport recording = new RecordingTransport();

    @Override
    protected Transport open() {
        Fault slowAnswer = Fault.slowAnswer(Duration.ofMillis(5));
        Fault slowArrival = Fault.slowArrival(Duration.ofMillis(3));
        return new FaultyTransport(recording, FaultPlan.random(new SplittableRandom(1), 0.5, slowAnswer, slowArrival));
    }

    @Override
    protected String destination() {
        return "nowhere";
    }

    @Override
    protected List<Arrival> arrived() {
        return recording.arrived().stream()
                .map(delivery -> Arrival.of(delivery.event()))
                .toList();
    }
}
