package dev.waybill.chaos.run;

import dev.waybill.chaos.clock.SteadyClock;
import dev.waybill.chaos.plan.Episode;
import dev.waybill.chaos.plan.Fault;
import dev.waybill.chaos.plan.Fault.Cut;
import dev.waybill.chaos.proxy.TcpProxy;
import dev.waybill.chaos.stage.Slot;
import dev.waybill.chaos.stage.Stage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lets faults happen. Thread-safe, as far as they strike different parts. */
final class Injector {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private final Stage stage;
    private final HeldTransactions held;
    private final LongSupplier clock = SteadyClock::millis;

    Injector(Stage stage, HeldTransactions held) {
        this.stage = stage;
        this.held = held;
    }

    /** Carries a fault out, from its beginning to its end. */
    Episode inject(Fault fault) throws InterruptedException {
        return switch (fault.kind()) {
            case RELAY_KILL -> kill(fault, stage.relays().get(fault.target()));
            case WRITER_KILL -> kill(fault, stage.writers().get(fault.target()));
            case CONSUMER_KILL -> kill(fault, stage.consumers().get(fault.target()));
            case RELAY_PAUSE -> pause(fault, stage.relays().get(fault.target()));
            case WRITER_PAUSE -> pause(fault, stage.writers().get(fault.target()));
            case CONSUMER_PAUSE -> pause(fault, stage.consumers().get(fault.target()));
            case DATABASE_KILL -> outage(fault, stage.database()::kill, stage.database()::start);
            case DISK_FULL -> outage(fault, stage::fillDisk, stage::freeDisk);
            case BROKER_KILL -> outage(fault, stage.broker()::kill, stage.broker()::start);
            case DATABASE_LINK -> cut(fault, stage.databaseLinks());
            case BROKER_LINK -> cut(fault, stage.brokerLinks());
            case HELD_TRANSACTION -> hold(fault);
        };
    }

    private Episode kill(Fault fault, Slot slot) throws InterruptedException {
        // Killing one that has not begun to work again would be no fault.
        slot.awaitReady(LONGEST_START);
        long began = clock.getAsLong();
        slot.kill();
        sleep(fault);
        slot.startAndAwait(LONGEST_START);
        return new Episode(fault, began, began, clock.getAsLong(), 1);
    }

    private Episode pause(Fault fault, Slot slot) throws InterruptedException {
        slot.awaitReady(LONGEST_START);
        long began = clock.getAsLong();
        slot.pause();
        try {
            sleep(fault);
        } finally {
            slot.resume();
        }
        return new Episode(fault, began, began, clock.getAsLong(), 1);
    }

    private Episode outage(Fault fault, Runnable kill, Runnable start) throws InterruptedException {
        long began = clock.getAsLong();
        kill.run();
        try {
            sleep(fault);
        } finally {
            start.run();
        }
        long healthy = clock.getAsLong();
        return new Episode(fault, began, healthy, healthy, 1);
    }

    private Episode cut(Fault fault, List<TcpProxy> links) throws InterruptedException {
        List<TcpProxy> struck = fault.target() == Fault.ALL ? links : List.of(links.get(fault.target()));
        @Nullable Cut cut = fault.cut();
        if (cut == null) {
            throw new IllegalArgumentException("a network breaks in some way: " + fault);
        }
        long began = clock.getAsLong();
        struck.forEach(link -> link.begin(cut.trouble(), cut.amount()));
        int cuts;
        try {
            sleep(fault);
        } finally {
            cuts = struck.stream().mapToInt(TcpProxy::heal).sum();
        }
        long healthy = clock.getAsLong();
        return new Episode(fault, began, healthy, healthy, Math.max(1, cuts));
    }

    private Episode hold(Fault fault) throws InterruptedException {
        long began = clock.getAsLong();
        held.hold(fault);
        return new Episode(fault, began, began, clock.getAsLong(), 1);
    }

    private static void sleep(Fault fault) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(fault.length().toMillis());
    }
}
