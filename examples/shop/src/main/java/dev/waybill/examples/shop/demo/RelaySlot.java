package dev.waybill.examples.shop.demo;

import dev.waybill.relay.Relay;
import dev.waybill.spring.relay.Relays;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of one relay of a service, which may be killed and replaced. Looking is thread-safe, starting and killing is for one
 * thread at a time.
 */
final class RelaySlot {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Service service;
    private final int number;
    private final Relays relays;
    private volatile @Nullable Relay further;

    /** The first place is that of the service's own relay; further ones are started beside it. */
    RelaySlot(Service service, int number) {
        this.service = service;
        this.number = number;
        relays = service.bean(Relays.class);
        if (!isOwn()) {
            service.unit().commits().afterCommit(shards -> relay().ifPresent(relay -> relay.wakeUp(shards)));
        }
    }

    String name() {
        return service.name() + " " + number;
    }

    Optional<Relay> relay() {
        return isOwn() ? relays.relays().stream().findFirst() : Optional.ofNullable(further);
    }

    void start() {
        if (isOwn()) {
            relays.start();
        } else if (further == null) {
            further = relays.builder(service.unit()).build().start();
        }
    }

    /** As a crash would end it: nothing is given back. Tells how many shards it owned. */
    int kill() {
        int shards = relay().map(relay -> relay.status().ownedShards()).orElse(0);
        if (isOwn()) {
            relays.kill();
        } else {
            relay().ifPresent(Relay::kill);
            further = null;
        }
        return shards;
    }

    /** The service's own relay ends with the service. */
    void close() {
        Relay running = further;
        further = null;
        if (running != null) {
            running.stop(PATIENCE);
        }
    }

    private boolean isOwn() {
        return number == 1;
    }
}
