package dev.waybill.benchmarks.micro;

import dev.waybill.event.Event;
import dev.waybill.relay.Relay;
import dev.waybill.store.memory.MemoryOutboxStore;
import dev.waybill.store.memory.MemoryTransaction;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.DeliveryListener;
import dev.waybill.transport.DeliveryResult;
import dev.waybill.transport.Transport;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What a relay itself costs for each entry: fetch, queue of the key, delivery and settle, over a store in memory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RelayMicro {
    private static final int ENTRIES = 2000;
    private static final int KEYS = 500;

    private final MemoryOutboxStore store = new MemoryOutboxStore(Clock.systemUTC(), Duration.ZERO);
    private final Counting transport = new Counting();
    private final Relay relay = Relay.builder(store).route("bench", transport).build();

    @Setup
    public void start() {
        relay.start();
    }

    @TearDown
    public void stop() {
        relay.close();
    }

    /** Publishes 2,000 entries of 500 keys, and waits until all of them are delivered. */
    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public void deliver() throws InterruptedException {
        List<Event> events = new ArrayList<>(ENTRIES);
        for (int i = 0; i < ENTRIES; i++) {
            events.add(Event.to("bench")
                    .key("key-" + i % KEYS)
                    .type("PurchaseMade")
                    .payload(new byte[300])
                    .build());
        }
        MemoryTransaction transaction = store.begin();
        store.append(transaction, events, Set.of());
        transaction.commit();
        relay.wakeUp();
        transport.delivered.acquire(ENTRIES);
    }

    private static final class Counting implements Transport {
        private final Semaphore delivered = new Semaphore(0);

        @Override
        public void send(List<Delivery> batch, DeliveryListener listener) {
            batch.forEach(delivery -> listener.onResult(delivery, DeliveryResult.delivered()));
            delivered.release(batch.size());
        }

        @Override
        public void close() {}
    }
}
