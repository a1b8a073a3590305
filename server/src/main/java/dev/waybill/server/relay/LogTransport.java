package dev.waybill.server.relay;

import dev.waybill.OneLine;
import dev.waybill.event.Event;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.io.PrintStream;
import java.util.List;

/** Writes a line for each event: what it is, never what is in it. Thread-safe. */
final class LogTransport implements Transport {
    private final PrintStream out;

    LogTransport(PrintStream out) {
        this.out = out;
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        boolean written = write(batch);
        DeliveryResult result = written
                ? DeliveryResult.delivered()
                : DeliveryResult.unavailable("Standard output is closed; who reads it has gone.");
        batch.forEach(delivery -> listener.onResult(delivery, result));
    }

    private boolean write(List<Delivery> batch) {
        StringBuilder lines = new StringBuilder();
        batch.forEach(delivery -> lines.append(line(delivery)).append('\n'));
        out.print(lines);
        return !out.checkError();
    }

    static String line(Delivery delivery) {
        Event event = delivery.event();
        return "delivered " + event.id() + " " + event.type() + " " + event.destination() + " key=" + key(event)
                + " sequence=" + delivery.sequence() + " attempt=" + delivery.attempt();
    }

    /** One event is one line, whatever its key. */
    private static String key(Event event) {
        String key = event.key();
        return key == null ? "" : OneLine.of(key);
    }

    @Override
    public void close() {
        out.flush();
    }
}
