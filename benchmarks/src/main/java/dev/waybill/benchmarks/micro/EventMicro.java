package dev.waybill.benchmarks.micro;

import dev.waybill.event.Event;
import dev.waybill.store.Shards;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What every published event costs before a database is asked. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EventMicro {
    private static final int KEYS = 1000;

    private final byte[] payload = new byte[300];
    private int next;

    /** Builds and validates an event of 300 bytes. */
    @Benchmark
    public Event build() {
        return Event.to("bench")
                .key("key-" + next++ % KEYS)
                .type("PurchaseMade")
                .payload(payload)
                .build();
    }

    /** Finds the shard of a key. */
    @Benchmark
    public int shard() {
        return Shards.of("bench", "key-" + next++ % KEYS);
    }
}
