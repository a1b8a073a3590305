package dev.waybill.examples.shop.demo;

import dev.waybill.WaybillException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Kills relays and takes a service or the broker down, one at a time, every few seconds, until closed; then all is well again. */
final class Chaos implements AutoCloseable {
    private final Fleet fleet;
    private final Carrier carrier;
    private final Incidents incidents;
    private final RandomGenerator random;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong faults = new AtomicLong();
    private final Thread thread = new Thread(this::run, "demo-chaos");

    Chaos(Fleet fleet, Carrier carrier, Incidents incidents, RandomGenerator random) {
        this.fleet = fleet;
        this.carrier = carrier;
        this.incidents = incidents;
        this.random = random;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** How often it struck. */
    long faults() {
        return faults.get();
    }

    /** Returns when the fault of the moment is healed. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean kill = random.nextBoolean();
        while (!pause(2000, 4000)) {
            faults.incrementAndGet();
            if (kill || !carrier.canGoDown()) {
                killRelay();
            } else {
                takeDown();
            }
            // Mostly in turn, so that a short run shows both.
            kill = random.nextInt(4) == 0 ? kill : !kill;
        }
        fleet.missing().ifPresent(this::startRelay);
    }

    /** A database that does not answer just now is no reason to end the demo without the relay. */
    private void startRelay(RelaySlot slot) {
        try {
            slot.start();
            incidents.add("relay " + slot.name() + " replaced by a new one");
        } catch (WaybillException e) {
            incidents.add("relay " + slot.name() + " could not be started: " + e.getMessage());
        }
    }

    private void killRelay() {
        RelaySlot slot = fleet.missing().orElseGet(() -> fleet.slot(random.nextInt(fleet.size())));
        int shards = slot.kill();
        incidents.add("relay " + slot.name() + " killed with " + shards + " shards");
        pause(1000, 2500);
        startRelay(slot);
    }

    private void takeDown() {
        long start = System.nanoTime();
        String what = carrier.goDown(random);
        incidents.add(what + " down");
        pause(1000, 3000);
        carrier.comeUp();
        Duration down = Duration.ofNanos(System.nanoTime() - start);
        incidents.add(String.format(Locale.ROOT, "%s up again after %s", what, Format.seconds(down)));
    }

    /** Waits for a time between the two; tells whether chaos is to end. */
    private boolean pause(int fromMillis, int toMillis) {
        try {
            return closed.await(random.nextInt(fromMillis, toMillis), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
