package dev.waybill.transport.kafka;

import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.SizeLimited;
import dev.waybill.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to Kafka with an idempotent producer and {@code acks=all}; see docs/kafka.md. Thread-safe.
 *
 * <p>Kafka's producer blocks its caller now and then, and the relay's thread must not be blocked: it would lose its leases.
 * So a relay's batch goes into a queue, and one <em>sender thread</em> owns the producer: it alone opens, uses and
 * replaces it. The queue has no bound of its own; what relays have on their way at a time (their window) bounds it. Answers
 * come from the producer's I/O thread, the admin client's thread, or the sender thread.
 *
 * <p>Several records of a key may be on their way: the first that fails stops the producer before those behind it can leave
 * ({@link Sender}).
 */
public final class KafkaTransport implements Transport, SizeLimited {
    private static final Logger log = LoggerFactory.getLogger(KafkaTransport.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);
    /**
     * What a record needs besides its payload, at most: the 16 KB of headers that an outbox allows by default, the key
     * twice (255 characters of up to 3 bytes), our own headers, lengths, and the batch around it.
     */
    private static final int OVERHEAD = 20 * 1024;

    private final KafkaTransportConfig config;
    private final int maxPayloadBytes;
    private final boolean keepsOrder;
    private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Sender sender;
    private final Thread thread;
    private volatile boolean closed;

    private KafkaTransport(KafkaTransportConfig config) {
        this.config = config;
        int source = config.source().getBytes(StandardCharsets.UTF_8).length;
        maxPayloadBytes = Math.max(0, ProducerSettings.maxRequestBytes(config) - OVERHEAD - source);
        keepsOrder = ProducerSettings.hasOneRequestOnItsWay(config);
        sender = new Sender(config, work::add, () -> closed);
        thread = new Thread(this::run, "waybill-kafka-sender");
        thread.setDaemon(true);
    }

    /**
     * Starts a transport. It connects when there is something to send: brokers may be away at this time.
     *
     * @throws IllegalArgumentException if the configuration leaves no room for a payload
     */
    public static KafkaTransport create(KafkaTransportConfig config) {
        KafkaTransport transport = new KafkaTransport(config);
        if (transport.maxPayloadBytes == 0) {
            throw new IllegalArgumentException("max.request.size leaves no room for a payload: about " + OVERHEAD
                    + " bytes of it are for keys and headers.");
        }
        transport.thread.start();
        return transport;
    }

    @Override
    public void send(List<Delivery> batch, DeliveryListener listener) {
        if (closed) {
            batch.forEach(
                    delivery -> listener.onResult(delivery, DeliveryResult.unavailable("The transport is closed")));
            return;
        }
        long now = System.nanoTime();
        List<Shipment> shipments = batch.stream()
                .map(delivery -> new Shipment(delivery, listener, () -> closed, now))
                .toList();
        work.add(() -> Convoy.of(shipments).forEach(sender::ship));
    }

    /** Unless somebody has allowed more than one request on its way to a broker. */
    @Override
    public boolean keepsOrder() {
        return keepsOrder;
    }

    /**
     * The largest payload that fits into a record whatever its key, and whatever headers an outbox accepts by default. What
     * the topic or the broker allows ({@code max.message.bytes}) may be less.
     */
    @Override
    public int maxPayloadBytes() {
        return maxPayloadBytes;
    }

    /**
     * Ends what is on its way without waiting for it; when this returns, no more results come. Not to be called by a
     * listener: it waits for the threads that call them.
     */
    @Override
    public void close() {
        closed = true;
        // Wakes the thread.
        work.add(() -> {});
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(LONGEST_CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "KafkaTransport[" + config.bootstrapServers() + "]";
    }

    private void run() {
        while (!closed) {
            try {
                work.take().run();
            } catch (InterruptedException e) {
                log.debug("Somebody interrupted the sender thread; it ends when the transport is closed");
            } catch (RuntimeException | Error e) {
                // Whatever it was: without this thread every delivery would time out for ever.
                log.error("The sender thread goes on after an unexpected failure", e);
            }
        }
        sender.close();
    }
}
