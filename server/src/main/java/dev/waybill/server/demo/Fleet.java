package dev.waybill.server.demo;

import dev.waybill.relay.RelayStatus;
import dev.waybill.server.demo.Snapshot.RelayState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The relays of the demo, numbered from 1; each may be killed and replaced. Waking and looking are thread-safe, starting
 * and killing is for one thread at a time.
 */
final class Fleet implements AutoCloseable {
    private final IntFunction<DemoRelay> starter;
    private final AtomicReferenceArray<@Nullable DemoRelay> relays;

    /** The starter makes a running relay for a number. */
    Fleet(int size, IntFunction<DemoRelay> starter) {
        this.starter = starter;
        relays = new AtomicReferenceArray<>(size);
    }

    int size() {
        return relays.length();
    }

    void startAll() {
        for (int number = 1; number <= size(); number++) {
            start(number);
        }
    }

    void start(int number) {
        relays.set(number - 1, starter.apply(number));
    }

    /** As a crash would end it: nothing is given back. Tells how many shards it owned. */
    int kill(int number) {
        DemoRelay relay = relays.getAndSet(number - 1, null);
        if (relay == null) {
            return 0;
        }
        int shards = relay.relay().status().ownedShards();
        relay.kill();
        return shards;
    }

    /** The number of a relay that was killed and not replaced. */
    OptionalInt missing() {
        return IntStream.rangeClosed(1, size())
                .filter(number -> relays.get(number - 1) == null)
                .findFirst();
    }

    void wakeUp() {
        for (int i = 0; i < size(); i++) {
            DemoRelay relay = relays.get(i);
            if (relay != null) {
                relay.relay().wakeUp();
            }
        }
    }

    List<RelayState> states() {
        List<RelayState> states = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            DemoRelay relay = relays.get(i);
            states.add(new RelayState(
                    i + 1,
                    relay != null,
                    relay == null ? 0 : relay.relay().status().ownedShards()));
        }
        return states;
    }

    /** What the live relays say about themselves. */
    List<RelayStatus> statuses() {
        List<RelayStatus> statuses = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            DemoRelay relay = relays.get(i);
            if (relay != null) {
                statuses.add(relay.relay().status());
            }
        }
        return statuses;
    }

    @Override
    public void close() {
        for (int i = 0; i < size(); i++) {
            DemoRelay relay = relays.getAndSet(i, null);
            if (relay != null) {
                relay.close();
            }
        }
    }
}
