package dev.waybill.testkit.transport;

import dev.waybill.transport.Transport;
import java.util.List;

class RecordingTransportContractTest extends TransportContract {
    private final RecordingTransport recording = new RecordingTransport();

    @Override
    protected Transport open() {
        return recording;
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
